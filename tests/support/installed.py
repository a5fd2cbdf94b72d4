# Installs the build into a folder of its own, for as long as a `with` block lasts.
# Builds nothing: Meson has.
# Used by the Python drivers that test an installation.
import contextlib
import pathlib
import shutil
import subprocess
import tempfile


@contextlib.contextmanager
def installation(build):
    """The prefix of what `meson install` puts into a fresh folder that everybody may enter."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="perfjudge-installed-"))
    folder.chmod(0o755)
    try:
        subprocess.run(["meson", "install", "-C", str(build), "--no-rebuild", "--quiet", "--destdir", str(folder)],
                       check=True, stdout=subprocess.DEVNULL)
        yield next(folder.rglob("bin/perfjudge")).parent.parent
    finally:
        shutil.rmtree(folder)
