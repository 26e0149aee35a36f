// Reads the data of the page and draws it. `window.__actio` shows data and plots to the console and to the tests.
import "uplot/dist/uPlot.min.css";
import "./style.css";
import type { ComparisonData, RunData } from "./data";
import { comparisonPage } from "./comparison_page";
import { allPlots, redrawForPrinting } from "./plot";
import { runPage } from "./run_page";

const data = JSON.parse(document.getElementById("data")!.textContent!) as RunData | ComparisonData;
document.getElementById("page")!.replaceChildren(...(data.kind === "run" ? runPage(data) : comparisonPage(data)));
redrawForPrinting();
Object.assign(window, { __actio: { data, plots: allPlots } });
