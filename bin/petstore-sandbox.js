#!/usr/bin/env node
// ECMAScript 5, so that every version of Node.js can parse it and say which versions are supported.
var version = process.versions.node
var supported = require('../package.json').engines.node

/** Whether this version is in a part of the range `^20.19.0 || >=22.12.0`. */
function includesVersion(part) {
  var bound = /(\^|>=)(\d+)\.(\d+)/.exec(part)
  var own = version.split('.')
  if (Number(own[0]) === Number(bound[2])) return Number(own[1]) >= Number(bound[3])
  return bound[1] === '>=' && Number(own[0]) > Number(bound[2])
}

if (supported.split('||').some(includesVersion)) {
  // Loads a module faster than `import()` does, and every version can parse it.
  require('../dist/cli.js').main()
} else {
  console.error('petstore-sandbox: Node.js', version, 'is not supported; install a version in', supported)
  process.exitCode = 2
}
