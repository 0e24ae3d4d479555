#!/usr/bin/env bash
# A libFuzzer dictionary: opcodes, element types, attribute names and what else HLO text is made of.
#   dictionary.sh SOURCE_FOLDER
set -euo pipefail
cd "$1"
{
  sed -n 's/^OPCODE([^,]*, *"\([^"]*\)".*/\1/p' ir/module/opcodes.def
  sed -n 's/^DTYPE([^,]*, *"\([^"]*\)".*/\1/p' ir/values/dtype.def
  sed -n 's/^ATTRIBUTE("\([^"]*\)".*/\1=/p' ir/module/attributes.def
  printf '%s\n' HloModule ENTRY ROOT parameter '(0)' '[]' '[2,3]' '{1,0}' '[0]' '[2147483647]' '= f32[4] ' 'dimensions={0}' \
    'to_apply=' 'body=' 'condition=' 'slice={[0:1:1]}' 'padding=0_0_0' 'index=0' 'metadata={' '/*' '*/' '{...}' nan inf '-0' '%'
} | sort -u | sed 's/.*/"&"/'
