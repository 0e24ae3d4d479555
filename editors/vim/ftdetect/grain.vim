autocmd BufRead,BufNewFile *.grain set filetype=grain
