setlocal commentstring=//\ %s
setlocal shiftwidth=2 expandtab
