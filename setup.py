# The module actio._actio is built by CMake, in the folder that `make python` uses: what is there is not built again.
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = Path(__file__).resolve().parent
VERSION = re.search(r"project\(actio VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text()).group(1)


class CMakeBuild(build_ext):
    def build_extension(self, extension: Extension) -> None:
        jobs = os.environ.get("JOBS", str(os.cpu_count() or 1))
        subprocess.run(["cmake", "--preset", "release", "-D", "ACTIO_PYTHON=ON",
                        f"-DPython_EXECUTABLE={sys.executable}"], cwd=ROOT, check=True)
        subprocess.run(["cmake", "--build", "--preset", "release", "-j", jobs, "--target", "actio_python"], cwd=ROOT,
                       check=True)
        target = Path(self.get_ext_fullpath(extension.name))
        built = ROOT / "build" / "python" / "actio" / target.name
        if not built.exists():
            raise RuntimeError("the module was not built: install pybind11 and the headers of Python, "
                               "as tools/install_dependencies.sh python does")
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(built, target)


setup(version=VERSION, ext_modules=[Extension("actio._actio", sources=[])], cmdclass={"build_ext": CMakeBuild})
