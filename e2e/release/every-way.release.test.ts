import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readdir, rm, symlink } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildRelease, releasedVersion } from './build-release.ts'
import { inRoot, makeDebianRoot } from './fresh-root.ts'
import { unpackImage } from './image-archive.ts'
import { makeOrdinaryUser, type OrdinaryUser, runService } from './ordinary-user.ts'

const run = promisify(execFile)
const debianName = process.arch === 'arm64' ? 'arm64' : 'amd64'
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
  await buildRelease(output, ['--arch', process.arch, '--only', 'tarball,deb,image'])
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

test('the tarball runs where it is unpacked, by a link too, on a machine without Node', async () => {
  const place = await user.makeFolder(join(folder, 'opt'))
  const name = `printyard-${version}-linux-${process.arch}`
  await user.run('tar', ['-xzf', join(output, `${name}.tar.gz`)], { cwd: place })
  await symlink(`opt/${name}/bin/printyard`, join(folder, 'printyard'))
  const env = { PATH: '/usr/bin:/bin' }
  const service = await user.serve(join(folder, 'printyard'), ['serve', '--port', '0'], { cwd: place, env })
  try {
    await expectPages(service.url)
    const hub = await user.run(join(place, name, 'bin/printyard-hub'), ['--help'], { env })
    expect(hub.stdout).toContain('Usage: printyard hub')
  } finally {
    expect(await service.stop()).toBe(0)
  }
})

describe.runIf(isRoot)('the packages for Debian, in a new root', () => {
  let root: string
  const dpkg = (...args: string[]) => run(...inRoot(root, ['dpkg', ...args]))
  beforeAll(async () => {
    root = await makeDebianRoot(join(folder, 'debian'))
    for (const name of ['printyard', 'printyard-hub']) {
      const file = `${name}_${version}_${debianName}.deb`
      await run('cp', [join(output, file), join(root, 'root')])
      await dpkg('--install', `/root/${file}`)
    }
  })

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
    } finally {
      expect(await service.stop()).toBe(0)
    }
    const help = await run(...inRoot(root, ['/usr/bin/printyard-hub', '--help']))
    expect(help.stdout).toContain('Usage: printyard hub')
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
