#!/usr/bin/env python3
# SPDX-License-Identifier: ISC
"""dputils.py - libdputils from Python: differentially private counts, windows, decays and means.

    counter = dputils.Handle("count", epsilon="1", horizon="1000")
    for x in stream:
        counter.add(x)
        print(counter.step()[0])

As a program: one number a line, a private running sum after each.  usage: dputils.py EPSILON [HORIZON]
"""
import ctypes
import sys

_lib = ctypes.CDLL("libdputils.so.1")
_handle, _size = ctypes.c_void_p, ctypes.c_size_t
for _name, _result, _arguments in (
        ("error", ctypes.c_char_p, [ctypes.c_int]), ("why", ctypes.c_char_p, [_handle]),
        ("new", ctypes.c_int, [ctypes.POINTER(_handle), ctypes.c_char_p]),
        ("free", None, [_handle]), ("plan", ctypes.c_int, [_handle]),
        ("set", ctypes.c_int, [_handle, ctypes.c_char_p, ctypes.c_char_p]),
        ("event", ctypes.c_int, [_handle, ctypes.c_char_p, _size, _size, ctypes.c_char_p, _size]),
        ("step", ctypes.c_int, [_handle]), ("numbers", _size, [_handle]),
        ("text", ctypes.c_int, [_handle, _size, ctypes.c_char_p, _size]),
        ("explain", ctypes.c_int, [_handle, ctypes.c_char_p, ctypes.c_char_p, _size,
                                   ctypes.POINTER(_size)])):
    _function = getattr(_lib, "dputils_" + _name)
    _function.restype, _function.argtypes = _result, _arguments


class Handle:
    """A mechanism: options are those of dputils(3), with _ for -, as texts."""

    def __init__(self, kind, **options):
        self._h = _handle()
        self._check(_lib.dputils_new(ctypes.byref(self._h), kind.encode()))
        for name, value in options.items():
            self._check(_lib.dputils_set(self._h, name.replace("_", "-").encode(),
                                         str(value).encode()))
        self._check(_lib.dputils_plan(self._h))

    def __del__(self):
        _lib.dputils_free(self._h)

    def _check(self, code):
        if code < 0:
            why = _lib.dputils_why(self._h) if self._h else b""
            raise ValueError((why or _lib.dputils_error(code)).decode())

    def add(self, value, key=0, user=None):
        """An event of the open step.  What is no number raises: do not show that to others."""
        text, user = str(value).encode(), user if user is None else str(user).encode()
        self._check(_lib.dputils_event(self._h, text, len(text), key, user, len(user or b"")))

    def step(self):
        """Closes the step: its estimates, as decimals; None where there is none."""
        self._check(_lib.dputils_step(self._h))
        text = ctypes.create_string_buffer(48)
        return [text.value.decode() if _lib.dputils_text(self._h, i, text, 48) == 0 else None
                for i in range(_lib.dputils_numbers(self._h))]

    def explain(self):
        """What is protected, and how far off the estimates will be."""
        text = ctypes.create_string_buffer(65536)
        self._check(_lib.dputils_explain(self._h, b"text", text, 65536, None))
        return text.value.decode()


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit("usage: dputils.py EPSILON [HORIZON] <EVENTS")
    try:
        counter = Handle("count", epsilon=sys.argv[1], horizon=(sys.argv[2:] or ["1M"])[0],
                         steps="events")
        for line in sys.stdin:
            try:
                counter.add(line.strip())
            except ValueError:
                pass        # no number is nothing: to say so would tell of the data
            print(*counter.step())
    except ValueError as error:
        sys.exit("dputils.py: %s" % error)
