import { runProgram } from './foreground.mjs'
import { runScript } from './steps.mjs'
import { ensureDashboard, ensureDependencies, ensureNode24, ensureProgram, environmentFor } from './toolchain.mjs'

if (process.env.npm_lifecycle_event !== undefined) await import('./follow-starter.mjs')

await runScript(async () => {
  const nodePath = await ensureNode24()
  await ensureDependencies(nodePath)
  await ensureDashboard(nodePath)
  const program = await ensureProgram(nodePath)
  const args = ['serve', ...process.argv.slice(2)]
  const environment = environmentFor(nodePath)
  // A quarter of the usual young generation spares the service some 25 MB; little of what it makes lives long.
  environment.NODE_OPTIONS ??= '--max-semi-space-size=4'
  await runProgram(nodePath, program, args, environment)
})
