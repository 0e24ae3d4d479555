#!/usr/bin/env bash
# A libFuzzer dictionary: opcodes, element types, attribute names and what else HLO text is made of; or Grain's words,
# signs and functions.
#   dictionary.sh SOURCE_FOLDER [grain]
set -euo pipefail
cd "$1"
if [ "${2:-}" = grain ]; then
  {
    sed -n '/kKeywords = /,/};/p; /kSigns = /,/};/p' frontend/grain/text/lexer.cpp | grep -o '"[^"]*"' | tr -d '"'
    sed -n '/kLibrary\[\] = /,/};/p' frontend/grain/check/check_calls.cpp | grep -o '"[^"]*"' | tr -d '"'
    sed -n 's/^DTYPE([^,]*, *"\([^"]*\)".*/\1/p' ir/values/dtype.def
    printf '%s\n' 'entry e(' ': f32[n]' ' carry (' '[i]' '[i + 1]' 'where i <= j' 'wrap' 'clamp' 'edge' 'f32(' 's32(' '0..n' "x'" \
      '1e-5' '2147483647' '_'
  } | sort -u | sed 's/.*/"&"/'
  exit
fi
{
  sed -n 's/^OPCODE([^,]*, *"\([^"]*\)".*/\1/p' ir/module/opcodes.def
  sed -n 's/^DTYPE([^,]*, *"\([^"]*\)".*/\1/p' ir/values/dtype.def
  sed -n 's/^ATTRIBUTE("\([^"]*\)".*/\1=/p' ir/module/attributes.def
  printf '%s\n' HloModule ENTRY ROOT parameter '(0)' '[]' '[2,3]' '{1,0}' '[0]' '[2147483647]' '= f32[4] ' 'dimensions={0}' \
    'to_apply=' 'body=' 'condition=' 'slice={[0:1:1]}' 'padding=0_0_0' 'index=0' 'metadata={' '/*' '*/' '{...}' nan inf '-0' '%'
} | sort -u | sed 's/.*/"&"/'
