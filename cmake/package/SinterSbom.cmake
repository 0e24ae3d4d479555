# The bill of materials of an emitted folder, as SPDX 2.3 in JSON: its files with their hashes, the text that they were
# made from, and the Sinter that made them.
#   cmake -D DIR=folder -D OUT=sbom.spdx.json -P SinterSbom.cmake
# The same folder gives the same bytes: the time in it is SOURCE_DATE_EPOCH, or 1970.
cmake_minimum_required(VERSION 3.24)

foreach(required IN ITEMS DIR OUT)
  if(NOT ${required})
    message(FATAL_ERROR "SinterSbom: -D ${required}=... is missing")
  endif()
  get_filename_component(${required} "${${required}}" ABSOLUTE)
endforeach()
if(NOT EXISTS "${DIR}/manifest.json")
  message(FATAL_ERROR "SinterSbom: ${DIR} has no manifest.json: not a folder that sinter compile wrote")
endif()
file(READ "${DIR}/manifest.json" manifest)
foreach(field IN ITEMS generator program input_sha256)
  string(JSON ${field} GET "${manifest}" ${field})
endforeach()
# What whoever compiled said of all files (--license).
string(JSON license ERROR_VARIABLE unsaid GET "${manifest}" license)
set(file_license "")
set(package_license "")
if(NOT unsaid)
  set(file_license ",\n      \"licenseConcluded\": \"${license}\"")
  set(package_license ",\n      \"licenseConcluded\": \"${license}\",\n      \"licenseDeclared\": \"${license}\"")
endif()
string(REGEX REPLACE "^sinter " "" version "${generator}")

# --- files: as they are now, whatever the manifest says of their contents ---
set(files "")
set(relations "")
set(hashes "")
string(JSON count LENGTH "${manifest}" files)
math(EXPR last "${count} - 1")
foreach(i RANGE ${last})
  string(JSON path MEMBER "${manifest}" files ${i})
  if(NOT EXISTS "${DIR}/${path}")
    message(FATAL_ERROR "SinterSbom: ${DIR}/${path} is missing: compile again")
  endif()
  file(SHA1 "${DIR}/${path}" sha1)
  file(SHA256 "${DIR}/${path}" sha256)
  list(APPEND hashes ${sha1})
  string(APPEND files ",
    {
      \"SPDXID\": \"SPDXRef-File-${i}\",
      \"fileName\": \"./${path}\",
      \"checksums\": [
        {\"algorithm\": \"SHA1\", \"checksumValue\": \"${sha1}\"},
        {\"algorithm\": \"SHA256\", \"checksumValue\": \"${sha256}\"}
      ]${file_license}
    }")
  string(APPEND relations "
    {\"spdxElementId\": \"SPDXRef-Model\", \"relationshipType\": \"CONTAINS\",\
 \"relatedSpdxElement\": \"SPDXRef-File-${i}\"},")
endforeach()
string(SUBSTRING "${files}" 1 -1 files)

# What SPDX calls the package verification code. The document is named by it, the program and the text.
list(SORT hashes)
list(JOIN hashes "" code)
string(SHA1 code "${code}")
string(UUID uuid NAMESPACE 6ba7b812-9dad-11d1-80b4-00c04fd430c8  # RFC 4122's, of object identifiers
       NAME "sinter ${version} ${program} ${input_sha256} ${code}" TYPE SHA1)

if(NOT DEFINED ENV{SOURCE_DATE_EPOCH})
  set(ENV{SOURCE_DATE_EPOCH} 0)
endif()
string(TIMESTAMP created "%Y-%m-%dT%H:%M:%SZ" UTC)

file(CONFIGURE OUTPUT "${OUT}" @ONLY CONTENT [[{
  "spdxVersion": "SPDX-2.3",
  "dataLicense": "CC0-1.0",
  "SPDXID": "SPDXRef-DOCUMENT",
  "name": "@program@",
  "documentNamespace": "urn:uuid:@uuid@",
  "creationInfo": {"created": "@created@", "creators": ["Tool: sinter-@version@"]},
  "packages": [
    {
      "SPDXID": "SPDXRef-Model",
      "name": "@program@",
      "downloadLocation": "NOASSERTION",
      "filesAnalyzed": true,
      "packageVerificationCode": {"packageVerificationCodeValue": "@code@"}@package_license@
    },
    {
      "SPDXID": "SPDXRef-Input",
      "name": "@program@-input",
      "downloadLocation": "NOASSERTION",
      "filesAnalyzed": false,
      "checksums": [{"algorithm": "SHA256", "checksumValue": "@input_sha256@"}]
    },
    {
      "SPDXID": "SPDXRef-Sinter",
      "name": "sinter",
      "versionInfo": "@version@",
      "downloadLocation": "NOASSERTION",
      "filesAnalyzed": false
    }
  ],
  "files": [@files@
  ],
  "relationships": [@relations@
    {"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES", "relatedSpdxElement": "SPDXRef-Model"},
    {"spdxElementId": "SPDXRef-Model", "relationshipType": "GENERATED_FROM", "relatedSpdxElement": "SPDXRef-Input"},
    {"spdxElementId": "SPDXRef-Sinter", "relationshipType": "BUILD_TOOL_OF", "relatedSpdxElement": "SPDXRef-Model"}
  ]
}
]])
