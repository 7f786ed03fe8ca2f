import { randomUUID } from 'node:crypto'
import { existsSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { nodeFolder, projectRoot } from '../node24.mjs'
import { runScript } from '../steps.mjs'
import { bundleProgram } from './bundle-program.mjs'
import { programFolder } from './program-folder.mjs'

// Bundles the sources of this checkout for `npm start`. What is there stays whole until all of the new is.
await runScript(async () => {
  const fresh = join(nodeFolder, `tmp-program-${randomUUID()}`)
  const old = join(nodeFolder, `tmp-old-program-${randomUUID()}`)
  try {
    await bundleProgram(projectRoot, 'apps/cli/src/main.ts', fresh)
    const folder = join(projectRoot, programFolder)
    if (existsSync(folder)) renameSync(folder, old)
    renameSync(join(fresh, programFolder), folder)
  } finally {
    for (const path of [fresh, old]) rmSync(path, { recursive: true, force: true })
  }
})
