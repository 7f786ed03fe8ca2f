import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import {
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

/** `npm run release-check` sets this: packages with a Node of their own take minutes to build, and the npm package holds the same programs. */
const isWhole = process.env.RELEASE_FORMS === 'all'
/** The packages are for Linux; images are built where Debian's apt is. */
const isLinux = process.platform === 'linux'
const hasDebian = isLinux && existsSync('/usr/bin/dpkg-deb') && existsSync('/usr/bin/apt-get')
const hasAnalyzer = existsSync('/usr/bin/systemd-analyze')
const canUnshare = isLinux && tried('unshare', ['--map-root-user', '--mount', 'true'])
const architecture = process.arch === 'arm64' ? 'arm64' : 'amd64'

/** Tests that run as root give up its rights, as everything released is for an ordinary user. */
const ordinary = 65_534
const isRoot = process.getuid?.() === 0
const asOrdinary = isRoot ? ['setpriv', `--reuid=${ordinary}`, `--regid=${ordinary}`, '--clear-groups'] : []

let work: string
let dist: string

beforeAll(async () => {
  work = mkdtempSync(join(tmpdir(), 'printyard-release-'))
  execFileSync('chmod', ['755', work])
  dist = join(work, 'dist')
  const ofLinux = hasDebian ? 'npm,tarball,deb,image' : 'npm,tarball,deb'
  await release(dist, isWhole && isLinux ? ofLinux : 'npm')
}, 9 * 60_000)

afterAll(() => rmSync(work, { recursive: true, force: true }))

const run = promisify(execFile)

async function release(output: string, only: string): Promise<void> {
  const args = [join(root, 'scripts/release/main.mjs'), '--only', only, '--arch', process.arch, '--output', output]
  await run(process.execPath, args, { cwd: root })
}

function tried(command: string, args: string[]): boolean {
  try {
    execFileSync(command, args, { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** A folder that the ordinary user owns. */
function ownFolder(name: string): string {
  const folder = join(work, name)
  mkdirSync(folder, { recursive: true })
  if (isRoot) chownSync(folder, ordinary, ordinary)
  return folder
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}

interface Place {
  command: string[]
  env?: Record<string, string>
  cwd: string
}

function environment(env: Record<string, string>, home: string): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) =>
    /^(NODE_EXTRA_CA_CERTS|npm_config_.*|https?_proxy)$/i.test(name),
  )
  return { ...Object.fromEntries(kept), PATH: '/usr/bin:/bin', HOME: home, ...env }
}

/** Starts the service, asks it what a first visitor asks it, and stops it. */
async function visit({ command, env = {}, cwd }: Place, health: (port: number) => string[]): Promise<void> {
  const port = await freePort()
  const settings = { PRINTYARD_HOST: '127.0.0.1', PRINTYARD_PORT: `${port}`, ...env }
  const [program = '', ...args] = [...asOrdinary, ...command, 'serve']
  const child = spawn(program, args, { cwd, env: environment(settings, cwd), stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = endOf(child)
  onTestFinished(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM')
    await ended
  })
  let log = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    log += text
  })
  const first = await createInterface({ input: child.stdout })[Symbol.asyncIterator]().next()
  expect(first.value, log).toBe(`Printyard is ready at http://127.0.0.1:${port}`)

  const url = `http://127.0.0.1:${port}`
  expect(await (await fetch(`${url}/livez`)).json()).toEqual({ status: 'alive' })
  const page = await (await fetch(`${url}/`, { headers: { accept: 'text/html' } })).text()
  const [, asset] = /src="(\/assets\/[^"]+\.js)"/.exec(page) ?? []
  expect((await fetch(`${url}${asset}`)).status).toBe(200)
  const code = /\/\?setup=(\w+)/.exec(log)?.[1]
  expect(code).toBeDefined()
  expect((await fetch(`${url}/?setup=${code}`, { headers: { accept: 'text/html' } })).status).toBe(200)

  const [asked = '', ...rest] = [...asOrdinary, ...health(port)]
  const answer = execFileSync(asked, rest, { cwd, env: environment(settings, cwd), encoding: 'utf8' })
  expect(answer).toBe(`The service is ready at ${url}/readyz.\n`)
  child.kill('SIGTERM')
  expect(await ended, log).toBe(0)
}

function endOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => child.once('close', (code) => resolve(code)))
}

test('every file of a release has its checksum, and the parts are listed as CycloneDX', () => {
  const names = readFileSync(join(dist, 'SHA256SUMS'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => line.slice(66))
  expect(names).toEqual(
    readdirSync(dist)
      .filter((name) => name.startsWith('printyard'))
      .sort(),
  )
  execFileSync(isLinux ? 'sha256sum' : 'shasum', [...(isLinux ? [] : ['-a', '256']), '-c', 'SHA256SUMS'], { cwd: dist })
  const sbom = JSON.parse(readFileSync(join(dist, `printyard-${version}.cdx.json`), 'utf8'))
  expect(sbom.bomFormat).toBe('CycloneDX')
  const parts: string[] = sbom.components.map(({ name }: { name: string }) => name)
  expect(parts).toContain('fastify')
  expect(parts).not.toContain('vitest')
})

test('the same sources make the same package', { timeout: 120_000 }, async () => {
  const again = join(work, 'again')
  await release(again, 'npm')
  const package_ = `printyard-${version}.tgz`
  expect(readFileSync(join(again, package_)).equals(readFileSync(join(dist, package_)))).toBe(true)
})

test('the npm package starts in an empty folder of an ordinary user', { timeout: 300_000 }, async () => {
  const folder = ownFolder('npm')
  const tools = ownFolder('npm/tools')
  // As root, the Node of the project may stand where an ordinary user cannot look.
  copyFileSync(process.execPath, join(tools, 'node'))
  execFileSync('chmod', ['755', join(tools, 'node')])
  const location: { findNpmCli(environment: NodeJS.ProcessEnv, execPath: string): string | undefined } = await import(
    new URL('../../scripts/npm-location.mjs', import.meta.url).href
  )
  const npm = location.findNpmCli(process.env, process.execPath)
  if (npm === undefined) throw new Error('npm is not installed')
  copyFileSync(join(dist, `printyard-${version}.tgz`), join(folder, 'printyard.tgz'))
  const [command = '', ...args] = [
    ...asOrdinary,
    join(tools, 'node'),
    npm,
    'install',
    '--prefer-offline',
    '--no-audit',
    '--no-fund',
    './printyard.tgz',
  ]
  const env = { PATH: `${tools}:/usr/bin:/bin` }
  await run(command, args, { cwd: folder, env: environment(env, folder) })
  const program = join(folder, 'node_modules/.bin/printyard')
  await visit({ command: [program], env, cwd: folder }, () => [program, 'health'])
})

test('an older Node is told which it needs', () => {
  const launcher = readFileSync(join(root, 'scripts/release/launchers/printyard.mjs'), 'utf8')
  const file = join(ownFolder('older-node'), 'printyard.mjs')
  writeFileSync(file, launcher.replace('process.versions.node.split', "'22.11.0'.split"))
  expect(() => execFileSync(process.execPath, [file], { stdio: 'pipe' })).toThrow('Printyard needs Node 24.9 or newer')
})

describe.runIf(isWhole && isLinux)('for Linux', { timeout: 120_000 }, () => {
  test('the tarball starts by its launcher, also through a link', async () => {
    const folder = ownFolder('tarball')
    execFileSync('tar', ['-xzf', join(dist, `printyard-${version}-linux-${process.arch}.tar.gz`), '-C', folder])
    const program = join(folder, `printyard-${version}-linux-${process.arch}/bin/printyard`)
    execFileSync('ln', ['-s', program, join(folder, 'printyard')])
    await visit({ command: [join(folder, 'printyard')], cwd: folder }, () => [program, 'health'])
  })

  test.runIf(hasDebian)('the Debian package holds a command, settings and a program that starts', async () => {
    const folder = ownFolder('deb')
    const file = join(dist, `printyard_${version}_${architecture}.deb`)
    execFileSync('dpkg-deb', ['-x', file, folder])
    const control = execFileSync('dpkg-deb', ['-f', file, 'Package', 'Version', 'Architecture'], { encoding: 'utf8' })
    expect(control).toBe(`Package: printyard\nVersion: ${version}\nArchitecture: ${architecture}\n`)
    expect(readFileSync(join(folder, 'usr/bin/printyard'), 'utf8')).not.toMatch(/@[A-Z_]+@/)
    const program = join(folder, 'usr/lib/printyard/bin/printyard')
    const cwd = ownFolder('deb-data')
    await visit({ command: [program], cwd }, () => [program, 'health'])
  })

  test.runIf(hasDebian && hasAnalyzer).for(['printyard', 'printyard-hub'])(
    'systemd accepts the unit of %s and finds it hardened',
    (name) => {
      const folder = ownFolder(`unit-${name}`)
      execFileSync('dpkg-deb', ['-x', join(dist, `${name}_${version}_${architecture}.deb`), folder])
      const unit = join(folder, `usr/lib/systemd/system/${name}.service`)
      writeFileSync(unit, readFileSync(unit, 'utf8').replace('ExecStart=/usr', `ExecStart=${folder}/usr`))
      const verified = execFileSync('systemd-analyze', ['verify', '--man=no', '--generators=no', unit], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      expect(verified).toBe('')
      // The scale ends at 10, for a unit without any protection; 2.5 and below is "OK".
      const exposure = ['security', '--offline=true', '--threshold=25', '--no-pager', unit]
      expect(() => execFileSync('systemd-analyze', exposure, { stdio: 'pipe' })).not.toThrow()
    },
  )

  test.runIf(hasDebian && canUnshare).for([
    { name: 'printyard', limit: 250 },
    { name: 'printyard-hub', limit: 250 },
  ])('the image $name is small, and its user starts it on a root that cannot be written', async ({ name, limit }) => {
    const image = ownFolder(`${name}-image`)
    const rootfs = ownFolder(`${name}-root`)
    const data = ownFolder(`${name}-data`)
    const archive = join(dist, `${name}-${version}-image-${architecture}.tar`)
    execFileSync('tar', ['-xf', archive, '-C', image])
    const read = (digest: string) => JSON.parse(readFileSync(join(image, 'blobs', digest.replace(':', '/')), 'utf8'))
    const index = JSON.parse(readFileSync(join(image, 'index.json'), 'utf8'))
    const manifest = read(index.manifests[0].digest)
    const { config } = read(manifest.config.digest)
    const layers: { digest: string; size: number }[] = manifest.layers
    expect(layers.reduce((total, { size }) => total + size, 0) / 1e6).toBeLessThan(limit)
    expect(config.User).toBe('10001:10001')
    for (const { digest } of layers) {
      const blob = join(image, 'blobs', digest.replace(':', '/'))
      expect(execFileSync('sha256sum', [blob], { encoding: 'utf8' })).toContain(digest.slice(7))
      const [command = '', ...args] = [...asOrdinary, 'tar', '-xzf', blob, '-C', rootfs, '--no-same-owner']
      execFileSync(command, args)
    }
    const env = Object.fromEntries(config.Env.map((pair: string) => pair.split('=')))
    delete env.PRINTYARD_HOST
    const inside = (args: string) => [
      ...['unshare', '--map-root-user', '--mount', 'sh', '-c'],
      [
        `mount --rbind ${rootfs} ${rootfs}`,
        `mount --rbind /dev ${rootfs}/dev`,
        `mount --rbind /proc ${rootfs}/proc`,
        `mount --bind ${data} ${rootfs}${config.WorkingDir}`,
        `mount -o remount,ro,bind ${rootfs}`,
        `exec unshare --user --map-user=10001 --map-group=10001 --root=${rootfs} --wd=${config.WorkingDir} ${args} "$@"`,
      ].join(' && '),
      'sh',
    ]
    if (name === 'printyard-hub') {
      const [command = '', ...args] = [...asOrdinary, ...inside(config.Entrypoint.join(' ')), 'run', '--help']
      const help = execFileSync(command, args, { cwd: image, env: environment(env, '/'), encoding: 'utf8' })
      expect(help).toContain('Run the hub until it is told to stop')
      return
    }
    expect(() => {
      const [command = '', ...args] = [...asOrdinary, ...inside('/bin/sh -c "echo x > /written"')]
      execFileSync(command, args, { cwd: image, env: environment(env, '/'), stdio: 'pipe' })
    }).toThrow('Read-only file system')
    await visit({ command: inside(config.Entrypoint.join(' ')), env, cwd: image }, () =>
      inside(config.Healthcheck.Test.slice(1).join(' ')),
    )
  })
})

test.runIf(isLinux)('the launchers of a tarball are plain shell', () => {
  for (const name of ['printyard.sh', 'printyard-hub.sh']) {
    execFileSync('sh', ['-n', join(dirname(fileURLToPath(import.meta.url)), '../../scripts/release/launchers', name)])
  }
})
