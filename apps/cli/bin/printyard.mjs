#!/usr/bin/env node
import { fileURLToPath } from 'node:url'
import { compiledFolder } from '../../../scripts/compiled-folder.mjs'
import { runProgram } from '../../../scripts/foreground.mjs'
import { findNode24, isNewEnough } from '../../../scripts/node24.mjs'

const program = new URL('../src/main.ts', import.meta.url)
const nodePath = findNode24()
if (nodePath === undefined) {
  process.stderr.write(
    `Printyard needs Node 24; this is Node ${process.versions.node}. Run \`npm start\` once, which fetches it, or install it.\n`,
  )
  process.exit(1)
}
// Under npx.
if (process.env.npm_lifecycle_event !== undefined) await import('../../../scripts/follow-starter.mjs')

if (isNewEnough(process.version)) {
  // Not by an import above: older Nodes, which end up below, do not have it.
  const { enableCompileCache } = await import('node:module')
  enableCompileCache(process.env.NODE_COMPILE_CACHE ?? compiledFolder)
  // In this very process: a second one would cost a hub on a small machine 40 MB for nothing.
  await import(program.href)
} else {
  await runProgram(nodePath, fileURLToPath(program), process.argv.slice(2), {
    NODE_COMPILE_CACHE: compiledFolder,
    ...process.env,
  })
}
