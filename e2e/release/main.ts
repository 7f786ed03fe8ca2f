import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

// `npm run release-check`: builds every form of a release and starts what can be started here. Some minutes.
const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs')
const child = spawn(process.execPath, [vitest, 'run', '--project', 'system', 'e2e/release'], {
  cwd: join(import.meta.dirname, '../..'),
  stdio: 'inherit',
  env: { ...process.env, RELEASE_FORMS: 'all' },
})
child.on('exit', (code) => {
  process.exitCode = code ?? 1
})
