# Hosts that lack something, made for one command: no namespaces, no mounts, no Landlock, a full disk.
# Changes nothing outside the command that it is put in front of.
# Used by tests/e2e/run.py; as a program: broken_host.py CALL[,CALL...] PROGRAM ARGUMENTS.
import ctypes
import os
import struct
import sys

EPERM, ENOSPC = 1, 28
# What a host lacks -> system calls that answer EPERM (clone only with namespace flags).
HOSTS = {"namespaces": "unshare,clone,clone3,setns", "mounts": "mount,open_tree,move_mount,fsopen"}
LANDLOCK = "landlock_create_ruleset"
NUMBERS = {"clone": 56, "unshare": 272, "setns": 308, "mount": 165, "open_tree": 428, "move_mount": 429,
           "fsopen": 430, "clone3": 435, "landlock_create_ruleset": 444}
NAMESPACE_FLAGS = 0x7E020000


def prefix(calls):
    return [sys.executable, os.path.abspath(__file__), calls]


def full_disk(folder):
    """Shows a file system of 64 KiB at `folder` to one command only. Needs root."""
    folder.mkdir(exist_ok=True)
    script = 'mount -t tmpfs -o size=64k,mode=1777 full "$1" && shift && exec "$@"'
    return ["unshare", "--mount", "--propagation", "private", "sh", "-c", script, "sh", str(folder)]


def private_mounts(script, *arguments):
    """Runs shell commands in a mount namespace of one command's own, then that command. Needs root."""
    return ["unshare", "--mount", "--propagation", "private", "sh", "-c", script, "sh", *map(str, arguments)]


def no_groups():
    """No control groups at all."""
    return private_mounts('umount -R -l /sys/fs/cgroup && exec "$@"')


def covered(folder):
    """An empty file system in front of a folder."""
    return private_mounts('mount -t tmpfs none "$1" && shift && exec "$@"', folder)


def no_proc():
    return private_mounts('umount -l /proc && exec "$@"')


def chroot(folder, tree):
    """A root that is no mount point, with the host's folders and the source tree bound below it."""
    script = """
root=$1 tree=$2; shift 2
for name in usr etc dev proc sys "$tree" "$HOME"; do
    mkdir -p "$root/$name" && mount --rbind "/$name" "$root/$name" || exit 1
done
mkdir -p -m 1777 "$root/tmp"
for name in bin lib lib64; do ln -sfn "usr/$name" "$root/$name"; done
exec chroot "$root" "$@"
"""
    return private_mounts(script, folder, tree)


def no_user_namespaces():
    """A user namespace of its own in which no further one may be made; its root is nobody outside."""
    script = 'echo 0 > /proc/sys/user/max_user_namespaces && exec "$@"'
    return ["unshare", "--user", "--map-root-user", "sh", "-c", script, "sh"]


def no_compiler(empty):
    """Shows an empty file in place of the C++ compiler to one command only. Needs root."""
    empty.write_bytes(b"")
    script = 'mount --bind "$1" "$(readlink -f /usr/bin/g++)" && shift && exec "$@"'
    return ["unshare", "--mount", "--propagation", "private", "sh", "-c", script, "sh", str(empty)]


def instruction(code, on_true, on_false, value):
    return struct.pack("=HBBI", code, on_true, on_false, value)


def program(names):
    """A classic filter: EPERM (clone3: ENOSYS) for the named calls, everything else runs."""
    load, equal, bits, back = 0x20, 0x15, 0x45, 0x06
    refuse, allow, unknown = 0x00050000 | EPERM, 0x7FFF0000, 0x00050000 | 38
    code = b""
    for name in names:
        code += instruction(load, 0, 0, 0)
        if name == "clone":
            code += instruction(equal, 0, 3, NUMBERS[name]) + instruction(load, 0, 0, 16)
            code += instruction(bits, 0, 1, NAMESPACE_FLAGS) + instruction(back, 0, 0, refuse)
        else:
            code += instruction(equal, 0, 1, NUMBERS[name])
            code += instruction(back, 0, 0, unknown if name == "clone3" else refuse)
    return code + instruction(back, 0, 0, allow)


def main():
    code = program(sys.argv[1].split(","))
    libc = ctypes.CDLL(None, use_errno=True)
    buffer = ctypes.create_string_buffer(code)
    filter_ = ctypes.create_string_buffer(struct.pack("=H6xQ", len(code) // 8, ctypes.addressof(buffer)))
    # As root no-new-privileges is not needed, and set-id programs further down (setpriv) are none.
    if libc.prctl(38, 1, 0, 0, 0) != 0 or libc.prctl(22, 2, filter_) != 0:
        raise OSError(ctypes.get_errno(), "cannot install the filter")
    os.execvp(sys.argv[2], sys.argv[2:])


if __name__ == "__main__":
    main()
