" Grain, Sinter's tensor language.
if exists("b:current_syntax")
  finish
endif

syntax keyword grainDeclaration import from dim const require record weights extern fn entry into
syntax keyword grainControl for in reverse unroll carry while if then else with where
syntax keyword grainWordOperator and or not
syntax keyword grainConstant true false inf nan
syntax keyword grainReduction sum prod mean max min any all argmax argmin reduce
syntax match grainType "\<\(pred\|key\|[su]\(1\|2\|4\|8\|16\|32\|64\)\|bf16\|f16\|f32\|f64\|f[468]e[0-9a-z]\+\|c64\|c128\)\>"
syntax match grainNumber "\<0x[0-9a-fA-F_]\+\>\|\<[0-9][0-9_]*\(\.[0-9][0-9_]*\)\?\([eE][+-]\?[0-9]\+\)\?\>"
syntax match grainNext "\<[A-Za-z_][A-Za-z0-9_]*'"
syntax match grainEdge "[;,]\s*\zs\(clamp\|wrap\|pad\|drop\|unique\)\>"
syntax region grainString start=+"+ end=+"+ oneline
syntax match grainComment "//.*$"
syntax match grainDoc "///.*$"

highlight default link grainDeclaration Keyword
highlight default link grainControl Statement
highlight default link grainWordOperator Operator
highlight default link grainConstant Constant
highlight default link grainReduction Function
highlight default link grainType Type
highlight default link grainNumber Number
highlight default link grainNext Identifier
highlight default link grainEdge StorageClass
highlight default link grainString String
highlight default link grainComment Comment
highlight default link grainDoc SpecialComment

let b:current_syntax = "grain"
