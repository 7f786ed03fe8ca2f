#!/usr/bin/env node
// No syntax that an older Node does not read: it has to come as far as the sentence that names the one it needs.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major > 24 || (major === 24 && minor >= 9)) {
  await import(new URL('../apps/cli/src/main.js', import.meta.url).href)
} else {
  process.stderr.write(
    `Printyard needs Node 24.9 or newer; this is Node ${process.versions.node}. Install Node 24 from https://nodejs.org, or choose a package that brings it.\n`,
  )
  process.exitCode = 1
}
