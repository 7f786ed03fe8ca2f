import { execFile } from 'node:child_process'
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/**
 * Makes a new root of the Debian that this machine runs, with systemd but nothing else beyond what is essential. The tool for it is
 * fetched and used from a folder, so that the machine stays as it is.
 */
export async function makeDebianRoot(work: string): Promise<string> {
  await mkdir(work, { recursive: true })
  await run('apt-get', ['download', '-qq', 'debootstrap'], { cwd: work })
  const [tool = ''] = (await readdir(work)).filter((name) => name.endsWith('.deb'))
  await run('dpkg-deb', ['-x', tool, 'tool'], { cwd: work })
  const { stdout } = await run('apt-get', ['indextargets', '--format', '$(REPO_URI) $(RELEASE) $(COMPONENT)'])
  const [mirror = '', release = ''] =
    stdout
      .split('\n')
      .map((line) => line.split(' '))
      .find(([, suite = '', component]) => component === 'main' && !suite.includes('-')) ?? []
  const root = join(work, 'root')
  await run(
    'sh',
    [join(work, 'tool/usr/sbin/debootstrap'), '--variant=minbase', '--include=systemd', release, root, mirror],
    { env: { ...process.env, DEBOOTSTRAP_DIR: join(work, 'tool/usr/share/debootstrap') }, maxBuffer: 10_000_000 },
  )
  return root
}

/**
 * Fetches a program that runs those of another processor, and uses it from a folder, so that the machine stays as it is.
 *
 * @param machine as QEMU names it: `aarch64`
 * @returns its path
 */
export async function fetchEmulator(work: string, machine: string): Promise<string> {
  await mkdir(work, { recursive: true })
  await run('apt-get', ['download', '-qq', 'qemu-user-static'], { cwd: work })
  const [file = ''] = (await readdir(work)).filter((name) => name.endsWith('.deb'))
  await run('dpkg-deb', ['-x', file, 'emulator'], { cwd: work })
  return join(work, `emulator/usr/bin/qemu-${machine}-static`)
}

/** Not on the PATH of an ordinary user. */
const chroot = '/usr/sbin/chroot'

interface RootOptions {
  /** User and group, by number or as the root names them. */
  user?: string
  /** The root can be read only, but for these folders of it, each with a folder of this machine in its place. */
  writable?: Record<string, string>
  workingFolder?: string
}

/**
 * The command line that runs a command in another root, with mounts that end with it. It replaces itself by the command, so that signals
 * reach that.
 */
export function inRoot(root: string, command: string[], options: RootOptions = {}): [string, string[]] {
  const { user, writable, workingFolder = '/' } = options
  const lines = ['set -eu', `mount --bind '${root}' '${root}'`]
  for (const [folder, source] of Object.entries(writable ?? {})) {
    lines.push(`mount --bind '${source}' '${root}${folder}'`)
  }
  for (const name of ['null', 'zero', 'random', 'urandom']) {
    lines.push(`mkdir -p '${root}/dev'; test -e '${root}/dev/${name}' || : > '${root}/dev/${name}'`)
    lines.push(`mount --bind /dev/${name} '${root}/dev/${name}'`)
  }
  lines.push(`mkdir -p '${root}/dev/shm' '${root}/proc'`, `mount -t tmpfs -o mode=1777 tmpfs '${root}/dev/shm'`)
  lines.push(`mount --rbind /proc '${root}/proc'`)
  if (writable !== undefined) lines.push(`mount -o remount,bind,ro '${root}'`)
  const change = user === undefined ? chroot : `setpriv --no-new-privs ${chroot} --userspec=${user} --groups=`
  lines.push(`exec ${change} '${root}' /bin/sh -c 'cd "$0" && exec "$@"' '${workingFolder}' "$@"`)
  return ['unshare', ['--mount', 'sh', '-c', lines.join('\n'), 'sh', ...command]]
}
