// Reads the data of the page and draws it. `window.__actio` shows data and plots to the console and to the tests.
import "uplot/dist/uPlot.min.css";
import "./style.css";
import type { ComparisonData, EnsembleData, PaperData, RunData } from "./data";
import { comparisonPage } from "./comparison_page";
import { ensemblePage } from "./ensemble_page";
import { paperPage } from "./paper_page";
import { allPlots, redrawForPrinting } from "./plot";
import { runPage } from "./run_page";
import { shownViews } from "./view_section";

const data = JSON.parse(document.getElementById("data")!.textContent!) as
  RunData | ComparisonData | PaperData | EnsembleData;
const parts = data.kind === "run" ? runPage(data) : data.kind === "paper" ? paperPage(data)
  : data.kind === "ensemble" ? ensemblePage(data) : comparisonPage(data);
document.getElementById("page")!.replaceChildren(...parts);
redrawForPrinting();
Object.assign(window, { __actio: { data, plots: allPlots, view: shownViews[0] } });
