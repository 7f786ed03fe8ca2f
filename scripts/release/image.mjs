import { createHash } from 'node:crypto'
import {
  createReadStream,
  createWriteStream,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { runTool, StepFailure } from '../steps.mjs'
import { debianNames } from './debian-package.mjs'
import { below, entriesOf, tarOf } from './tar.mjs'

/** What Node, PostgreSQL and its `initdb` need of a system; nothing else is in an image. */
const basePackages = ['base-files', 'dash', 'libc6', 'libgcc-s1', 'libstdc++6']

/** The user of an image; none of the machine has this number. */
const userId = 10_001

/** Whether the service answers; run by the Node of the image, which has no curl. What its certificate is worth is not the question. */
const askService = `const protocol = require(process.env.PRINTYARD_TLS_CERT_FILE ? 'node:https' : 'node:http')
const options = { host: '127.0.0.1', port: process.env.PRINTYARD_PORT ?? 4400, path: '/livez', rejectUnauthorized: false }
protocol.get(options, (answer) => process.exit(answer.statusCode === 200 ? 0 : 1)).once('error', () => process.exit(1))`

/** A hub has no port; the socket by which it holds its data directory answers as long as it works (`data-dir-lock.ts`). */
const askHub = `const { createHash } = require('node:crypto')
const name = createHash('sha256').update(require('node:fs').realpathSync(process.env.PRINTYARD_HUB_DATA_DIR)).digest('hex')
const socket = require('node:net').connect('\\0printyard-hub-' + name.slice(0, 32))
socket.once('data', () => process.exit(0)).once('error', () => process.exit(1))`

const fetchMs = 5 * 60_000

/**
 * The files of the base: a few packages of the Debian that builds, fetched and verified by apt with folders of its own, so that no root
 * and no change of the machine is needed.
 *
 * @param {import('./bundle.mjs').Architecture} architecture
 * @param {string} work
 * @returns {Promise<import('./tar.mjs').TarEntry[]>}
 */
export async function baseEntries(architecture, work) {
  const packages = join(work, 'packages')
  const root = join(work, 'root')
  for (const folder of ['lists/partial', 'cache/archives/partial', 'packages', 'root']) {
    mkdirSync(join(work, folder), { recursive: true })
  }
  const name = debianNames[architecture]
  const options = [
    ...[
      `Dir::State::Lists=${join(work, 'lists')}`,
      `Dir::Cache=${join(work, 'cache')}`,
      'Dir::State::status=/dev/null',
    ],
    ...[`APT::Architecture=${name}`, `APT::Architectures=${name}`, 'APT::Sandbox::User=root'],
    // Of the sources only the lists of packages: no texts of them, no names of programs.
    ...['Acquire::Languages=none', 'Acquire::IndexTargets::deb::DEP-11::DefaultEnabled=false'],
  ].flatMap((option) => ['-o', option])
  for (const args of [['update'], ['download', ...basePackages]]) {
    const result = await runTool('apt-get', [...options, '-qq', ...args], { cwd: packages, timeoutMs: fetchMs })
    if (result.exitCode === 0) continue
    throw new StepFailure(`The base of the images for ${name} could not be fetched by apt.`, {
      output: result.output,
      advice:
        'Images are built on Debian, with its package sources within reach; --only npm,tarball,deb builds the rest.',
    })
  }
  const status = join(root, 'var/lib/dpkg/status.d')
  for (const file of readdirSync(packages).sort()) {
    await dpkg('-x', join(packages, file), root)
    mkdirSync(status, { recursive: true })
    // Scanners for vulnerabilities read which packages an image has from here.
    writeFileSync(join(status, file.split('_')[0] ?? file), await dpkg('-f', join(packages, file)))
  }
  const kept = entriesOf(root, (path) =>
    /^(usr\/share\/(man|locale|lintian|bug|menu|debianutils)|etc\/update-motd\.d)$/.test(path),
  )
  const names = new Set(kept.map((entry) => entry.name))
  return [
    ...kept.filter((entry) => !['tmp', 'var/tmp', 'etc/passwd', 'etc/group'].includes(entry.name)),
    ...(names.has('bin/sh') || names.has('usr/bin/sh') ? [] : [{ name: 'bin/sh', target: 'dash' }]),
    {
      name: 'etc/passwd',
      mode: 0o644,
      content: Buffer.from(
        `root:x:0:0:root:/root:/bin/false\nprintyard:x:${userId}:${userId}::/var/lib/printyard:/bin/false\n`,
      ),
    },
    { name: 'etc/group', mode: 0o644, content: Buffer.from(`root:x:0:\nprintyard:x:${userId}:\n`) },
    { name: 'tmp', mode: 0o1777, isFolder: true },
    { name: 'var/tmp', mode: 0o1777, isFolder: true },
  ]
}

/** @param {string[]} args */
async function dpkg(...args) {
  const result = await runTool('dpkg-deb', args, { timeoutMs: fetchMs })
  if (result.exitCode === 0) return result.standardOutput
  throw new StepFailure(`dpkg-deb ${args.join(' ')} failed.`, { output: result.output, advice: 'Is the disk full?' })
}

/**
 * Writes an image as an archive in the layout of OCI, with the list that `docker load` of older versions wants beside it.
 *
 * @param {import('./tar.mjs').TarEntry[]} base
 * @param {import('./tar.mjs').TarEntry[]} bundle
 * @param {import('./debian-package.mjs').PackageContext} context
 */
export async function writeImage(base, bundle, { edition, version, architecture, mtime, output }) {
  const { name, description } = edition
  const isHub = name === 'printyard-hub'
  const home = `/opt/${name}`
  const data = `/var/lib/${name}`
  const program = [
    `${home}/node/bin/node`,
    '--max-semi-space-size=4',
    `${home}/app/bin/printyard.mjs`,
    ...(isHub ? ['hub'] : []),
  ]
  const path = join(output, `${name}-${version}-image-${debianNames[architecture]}.tar`)
  const layers = [
    await makeLayer(`${path}.base`, tarOf(base, mtime)),
    await makeLayer(
      `${path}.app`,
      tarOf(
        [
          ...below(
            home.slice(1),
            bundle.filter(({ name: path }) => path !== 'bin' && !path.startsWith('bin/')),
          ),
          ...below('usr/local/bin', [
            { name, mode: 0o755, content: Buffer.from(`#!/bin/sh\nexec ${program.join(' ')} "$@"\n`) },
          ]),
          { name: data.slice(1), mode: 0o700, isFolder: true, uid: userId },
        ],
        mtime,
      ),
    ),
  ]
  const created = new Date(mtime * 1000).toISOString()
  const config = blob({
    created,
    architecture: debianNames[architecture],
    os: 'linux',
    config: {
      User: `${userId}:${userId}`,
      Env: [
        'PATH=/usr/local/bin:/usr/bin:/bin',
        ...(isHub ? [`PRINTYARD_HUB_DATA_DIR=${data}`] : [`PRINTYARD_DATA_DIR=${data}`, 'PRINTYARD_HOST=0.0.0.0']),
      ],
      Entrypoint: program,
      Cmd: [isHub ? 'run' : 'serve'],
      ...(isHub ? {} : { ExposedPorts: { '4400/tcp': {} } }),
      Volumes: { [data]: {} },
      WorkingDir: data,
      StopSignal: 'SIGTERM',
      Labels: {
        'org.opencontainers.image.title': name,
        'org.opencontainers.image.description': description,
        'org.opencontainers.image.version': version,
        'org.opencontainers.image.licenses': 'MIT',
        'org.opencontainers.image.created': created,
      },
      // Not part of OCI: Docker reads it, and others leave it alone.
      Healthcheck: {
        Test: ['CMD', `${home}/node/bin/node`, '-e', isHub ? askHub : askService],
        Interval: 30e9,
        Timeout: 10e9,
        StartPeriod: 60e9,
        Retries: 3,
      },
    },
    rootfs: { type: 'layers', diff_ids: layers.map(({ contentDigest }) => `sha256:${contentDigest}`) },
    history: [
      { created, created_by: `packages of Debian: ${basePackages.join(' ')}` },
      { created, created_by: `${name} ${version}` },
    ],
  })
  const manifest = blob({
    schemaVersion: 2,
    mediaType: 'application/vnd.oci.image.manifest.v1+json',
    config: { mediaType: 'application/vnd.oci.image.config.v1+json', ...config.descriptor },
    layers: layers.map(({ digest, size }) => ({
      mediaType: 'application/vnd.oci.image.layer.v1.tar+gzip',
      digest: `sha256:${digest}`,
      size,
    })),
  })
  const index = {
    schemaVersion: 2,
    mediaType: 'application/vnd.oci.image.index.v1+json',
    manifests: [
      {
        mediaType: 'application/vnd.oci.image.manifest.v1+json',
        ...manifest.descriptor,
        platform: { architecture: debianNames[architecture], os: 'linux' },
        annotations: { 'org.opencontainers.image.ref.name': version, 'io.containerd.image.name': `${name}:${version}` },
      },
    ],
  }
  const forOlderDocker = [
    {
      Config: `blobs/sha256/${config.hex}`,
      RepoTags: [`${name}:${version}`],
      Layers: layers.map(({ digest }) => `blobs/sha256/${digest}`),
    },
  ]
  const blobs = [
    { name: config.hex, content: config.content },
    { name: manifest.hex, content: manifest.content },
    ...layers.map(({ file, digest }) => ({ name: digest, content: () => readFileSync(file) })),
  ]
  const entries = [
    { name: 'oci-layout', mode: 0o644, content: Buffer.from('{"imageLayoutVersion":"1.0.0"}') },
    { name: 'index.json', mode: 0o644, content: Buffer.from(JSON.stringify(index)) },
    { name: 'manifest.json', mode: 0o644, content: Buffer.from(JSON.stringify(forOlderDocker)) },
    ...below(
      'blobs/sha256',
      blobs.map((entry) => ({ ...entry, mode: 0o644 })),
    ),
  ]
  await pipeline(Readable.from(tarOf(entries, mtime)), createWriteStream(path))
  for (const { file } of layers) rmSync(file)
}

/** @param {unknown} document */
function blob(document) {
  const content = Buffer.from(JSON.stringify(document))
  const hex = createHash('sha256').update(content).digest('hex')
  return { content, hex, descriptor: { digest: `sha256:${hex}`, size: content.length } }
}

/**
 * Compresses a layer into a file; an image names it by the hash of what is in it and by that of the file.
 *
 * @param {string} file
 * @param {Iterable<Buffer>} chunks
 */
async function makeLayer(file, chunks) {
  const contentHash = createHash('sha256')
  const seen = new Transform({
    transform(chunk, _encoding, done) {
      contentHash.update(chunk)
      done(null, chunk)
    },
  })
  await pipeline(Readable.from(chunks), seen, createGzip(), createWriteStream(file))
  const hash = createHash('sha256')
  let size = 0
  for await (const chunk of createReadStream(file)) {
    hash.update(chunk)
    size += chunk.length
  }
  return { file, contentDigest: contentHash.digest('hex'), digest: hash.digest('hex'), size }
}
