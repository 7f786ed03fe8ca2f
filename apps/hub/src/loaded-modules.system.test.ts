import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const program = `
import { registerHooks } from 'node:module'
const loaded = []
registerHooks({ load(url, context, next) { loaded.push(url); return next(url, context) } })
await import(process.argv[1])
process.stdout.write(JSON.stringify(loaded), () => process.exit(0))`

/** Addresses of all modules that a process of its own has loaded once this one has been. */
async function loadedWith(path: string): Promise<string[]> {
  const args = ['--input-type=module', '--eval', program, new URL(path, import.meta.url).href]
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 1024 * 1024, timeout: 60_000 })
  return JSON.parse(stdout)
}

test.each([
  './hub.ts',
  './drivers/octoprint/octoprint.driver.ts',
  './drivers/moonraker/moonraker.driver.ts',
  './drivers/prusalink/prusalink.driver.ts',
  './drivers/bambu/bambu.driver.ts',
  './drivers/elegoo/elegoo.driver.ts',
  './drivers/creality/creality.driver.ts',
  './drivers/virtual/virtual.driver.ts',
])('%s does without the library of schemas, which takes 30 MB', async (path) => {
  const loaded = await loadedWith(path)
  expect(loaded).toContain(new URL(path, import.meta.url).href)
  expect(loaded.filter((url) => url.includes('/typebox/') && !url.includes('/typebox/build/guard/'))).toEqual([])
})
