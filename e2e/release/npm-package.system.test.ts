import { execFile } from 'node:child_process'
import { access, chmod, copyFile, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildRelease, releasedVersion } from './build-release.ts'
import { setUpByAddress } from './first-person.ts'
import { makeOrdinaryUser, type OrdinaryUser } from './ordinary-user.ts'
import { readCommands } from './page-commands.ts'

let folder: string
let version: string
let archive: string
let user: OrdinaryUser
/** Where the user has installed it. */
let place: string
/** Of `docs/install/npm.md`: install, serve, doctor, join. */
let commands: string[]

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'printyard-npm-'))
  user = await makeOrdinaryUser(join(folder, 'home'))
  // Made by mkdtemp for its maker alone; the user has to pass through it.
  await chmod(folder, 0o755)
  version = await releasedVersion()
  await buildRelease(join(folder, 'dist'), ['--only', 'npm'])
  archive = join(folder, 'dist', `printyard-${version}.tgz`)
  place = await user.makeFolder(join(folder, 'farm'))
  await copyFile(archive, join(place, `printyard-${version}.tgz`))
  commands = await readCommands('npm')
  const { stdout: registry } = await promisify(execFile)('npm', ['config', 'get', 'registry'], { cwd: folder })
  await user.run('sh', ['-c', commands[0] ?? ''], { cwd: place, env: { npm_config_registry: registry.trim() } })
}, 240_000)
afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }))

test('the npm package has JavaScript only, exact dependencies, none of the tests, and stays below 10 MB', async () => {
  const { stdout } = await promisify(execFile)('tar', ['-tzf', archive], { maxBuffer: 10_000_000 })
  const names = stdout.trim().split('\n')
  expect(names).toContain('package/apps/cli/dist/main.js')
  expect(names).toContain('package/apps/web/dist/index.html')
  expect(names).toContain('package/CHANGELOG.md')
  expect(names.filter((name) => /\.tsx?$|\.test\.|\/test\/|\/node_modules\//.test(name))).toEqual([])
  expect((await stat(archive)).size).toBeLessThan(10_000_000)

  const installed = join(place, 'node_modules')
  const manifest = JSON.parse(await readFile(join(installed, 'printyard/package.json'), 'utf8'))
  expect(manifest).toMatchObject({ name: 'printyard', version, bin: { printyard: 'bin/printyard.mjs' } })
  const wanted = Object.values({ ...manifest.dependencies, ...manifest.optionalDependencies })
  expect(wanted.length).toBeGreaterThan(20)
  expect(wanted.filter((range) => !/^\d+\.\d+\.\d+/.test(String(range)))).toEqual([])
  await expect(access(join(installed, 'typescript'))).rejects.toThrow('ENOENT')
  await expect(access(join(installed, 'vitest'))).rejects.toThrow('ENOENT')
})

test('it installs the very versions that were tested, and the list of components names them', async () => {
  const { metadata, components } = JSON.parse(
    await readFile(join(folder, 'dist', `printyard-${version}.cdx.json`), 'utf8'),
  )
  expect(metadata).toMatchObject({ component: { name: 'printyard', version } })
  const listed = new Set(components.map((part: { purl: string }) => decodeURIComponent(part.purl)))
  const lock = JSON.parse(await readFile(join(place, 'node_modules/.package-lock.json'), 'utf8')) as {
    packages: Record<string, { version: string }>
  }
  const installed = Object.entries(lock.packages).flatMap(([path, entry]) => {
    const name = path.slice('node_modules/'.length)
    // A second version of a package is npm's choice.
    return name === 'printyard' || name.includes('node_modules/') ? [] : [`pkg:npm/${name}@${entry.version}`]
  })
  expect(installed.length).toBeGreaterThan(100)
  expect(installed.filter((name) => !listed.has(name))).toEqual([])
  expect([...listed].filter((name) => /^pkg:generic\/node@24\.\d+\.\d+$/.test(String(name)))).toHaveLength(1)
}, 30_000)

test('the commands of the page lead an ordinary user from nothing to a farm with a hub', async () => {
  const [, serve, doctor = '', join_ = '', ...more] = commands
  expect(more).toEqual([])
  const service = await user.serve('sh', ['-c', `exec ${serve}`], { cwd: place, env: { PRINTYARD_PORT: '0' } })
  try {
    const settings = { cwd: place, env: { PRINTYARD_PORT: new URL(service.url).port } }
    const ask = await setUpByAddress(service)
    expect((await user.run('sh', ['-c', doctor], settings)).stdout).toContain('No problem was found.')
    const { join_code: code } = await ask<{ join_code: string }>('POST', '/hubs', { name: 'Workshop' })
    const joins = join_.replace('http://127.0.0.1:4400', service.url).replace(/CODE$/, code)
    expect((await user.run('sh', ['-c', joins], settings)).stdout).toContain('Workshop')
  } finally {
    await service.stop()
  }
}, 120_000)

test('npx printyard serve starts as an ordinary user, with its dashboard, its database and the commands beside it', async () => {
  const options = { cwd: place, env: { PRINTYARD_DATA_DIR: join(place, 'demo') } }
  const printyard = (...args: string[]) => user.run('npx', ['printyard', ...args], options)
  expect((await printyard('--version')).stdout).toBe(`${version}\n`)
  const service = await user.serve('npx', ['printyard', 'serve', '--port', '0', '--demo'], options)
  try {
    const live = await fetch(`${service.url}/livez`)
    expect(live.status).toBe(200)
    const page = await (await fetch(service.url)).text()
    const [, script] = /<script[^>]* src="([^"]+)"/.exec(page) ?? []
    expect((await fetch(new URL(script ?? 'no-script', service.url))).status).toBe(200)
    expect((await fetch(`${service.url}/public/v1/openapi.json`)).status).toBe(200)
    const accounts = JSON.parse((await printyard('accounts', 'list', '--json')).stdout)
    expect(JSON.stringify(accounts)).toContain('acc_')
    // A process of its own beside the service.
    const backup = join(place, 'backups')
    await printyard('backup', '--to', backup)
    expect(await readdir(backup)).toContainEqual(expect.stringMatching(/^backup-\d{4}-/))
  } finally {
    await service.stop()
  }
  expect(service.log()).toContain('"signal":"SIGTERM","msg":"stopping"')
}, 120_000)

test('on an older Node it says which one it needs', async () => {
  const older = `data:text/javascript,Object.defineProperty(process.versions,'node',{value:'20.1.0'})`
  const program = join(place, 'node_modules/printyard/bin/printyard.mjs')
  await expect(user.run(process.execPath, ['--import', older, program, 'serve'])).rejects.toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(
      /^Printyard needs Node 24\.9 or newer; this is Node 20\.1\.0\. Install Node 24 from .*\n$/,
    ),
  })
})
