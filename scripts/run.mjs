import { runInForeground } from './foreground.mjs'
import { runScript } from './steps.mjs'
import { ensureDependencies, ensureNode24, environmentFor } from './toolchain.mjs'

await runScript(async () => {
  const [command, ...args] = process.argv.slice(2)
  if (command === undefined) {
    process.stderr.write('Usage: node scripts/run.mjs COMMAND [ARGUMENT…]\n')
    process.exit(2)
  }
  const nodePath = await ensureNode24()
  await ensureDependencies(nodePath)
  await runInForeground(command, args, environmentFor(nodePath), { ownGroup: false })
})
