import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { runPrintFileInfo } from './print-file-info.ts'
import { buildGcode3mf } from './test/build-gcode-3mf.ts'
import { drawPng } from './test/draw-picture.ts'
import { withTemporaryFile } from './test/temporary-file.ts'

const demoFile = (name: string) => fileURLToPath(new URL(`../../../apps/server/demo-files/${name}`, import.meta.url))

async function run(...args: string[]) {
  let out = ''
  let err = ''
  const output = {
    out: (text: string) => {
      out += text
    },
    err: (text: string) => {
      err += text
    },
  }
  return { exitCode: await runPrintFileInfo(args, output), out, err }
}

test('a file is described in a few lines', async () => {
  const { exitCode, out } = await run(demoFile('cable-box_mk3s_petg.gcode'))
  expect(exitCode).toBe(0)
  expect(out).toMatch(/printer +MK3S\n/)
  expect(out).toMatch(/filament +#1 {2}PETG {2}#FF8000 {2}Generic PETG {2}8\.84 g {2}2\.89 m\n/)
  expect(out).toMatch(/time +49 min\n/)
})

test('--json prints one object per line, refused files included', async () => {
  const { exitCode, out } = await run('--json', demoFile('cable-clips_p1s_pla.gcode.3mf'), demoFile('README.md'))
  expect(exitCode).toBe(1)
  const [first, second] = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(first).toMatchObject({
    format: 'gcode-3mf',
    printerModel: 'Bambu Lab P1S',
    thumbnails: [{ width: 256, byteCount: expect.any(Number) }],
  })
  expect(first.plates[0].thumbnails[0]).not.toHaveProperty('bytes')
  expect(second).toMatchObject({ error: { code: 'NOT_A_PRINT_FILE' } })
})

test('--thumbnail writes the best picture', async () => {
  await withTemporaryFile(buildGcode3mf({ plates: [{ thumbnail: drawPng(40, 30, [1, 2, 3]) }] }), async (path) => {
    const { exitCode } = await run('--thumbnail', `${path}.png`, path)
    expect(exitCode).toBe(0)
    expect(await readFile(`${path}.png`)).toEqual(drawPng(40, 30, [1, 2, 3]))
  })
})

test('wrong usage is told apart from refused files', async () => {
  expect(await run()).toMatchObject({ exitCode: 2, err: expect.stringContaining('No file was named.') })
  expect(await run('--frobnicate', 'x')).toMatchObject({ exitCode: 2 })
  expect(await run('--thumbnail', 'x.png', 'a', 'b')).toMatchObject({ exitCode: 2 })
  expect(await run('--help')).toMatchObject({ exitCode: 0, out: expect.stringContaining('Usage:') })
})

test('names in a file cannot steer the terminal', async () => {
  const archive = buildGcode3mf({
    plates: [
      { index: 1, name: 'a' },
      { index: 2, name: 'evil\u001b[2Jname' },
    ],
  })
  const { out } = await withTemporaryFile(archive, (path) => run(path))
  expect(out).toContain('plate 2 "evil')
  expect(out).not.toContain('\u001b')
})

test('the command runs as a program', async () => {
  const program = fileURLToPath(new URL('../bin/print-file-info.mjs', import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, [
    program,
    '--json',
    demoFile('wall-hook_ender3.gcode'),
  ])
  expect(JSON.parse(stdout)).toMatchObject({ format: 'gcode', slicer: 'Cura' })
})
