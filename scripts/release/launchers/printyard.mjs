#!/usr/bin/env node
// No syntax that an older Node does not read: it has to come as far as the sentence that names the one it needs.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major > 24 || (major === 24 && minor >= 9)) {
  const parts = ['../apps/cli/dist/main.js']
  // Under npx.
  if (process.env.npm_lifecycle_event !== undefined) parts.push('./follow-starter.mjs')
  for (const part of parts) void import(part)
} else {
  process.stderr.write(
    `Printyard needs Node 24.9 or newer; this is Node ${process.versions.node}. Install Node 24 from https://nodejs.org, or choose a package that brings it.\n`,
  )
  process.exitCode = 1
}
