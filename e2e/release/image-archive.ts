import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

interface UnpackedImage {
  root: string
  /** As Debian names it: `amd64`. */
  architecture: string
  config: {
    User: string
    Env: string[]
    Entrypoint: string[]
    Cmd: string[]
    WorkingDir: string
    Volumes: Record<string, object>
    Healthcheck: { Test: string[] }
  }
  /** Of all layers, as they are stored and sent. */
  compressedBytes: number
}

/** Unpacks an archive in the layout of OCI as an engine does: each part is checked against the digest that names it. */
export async function unpackImage(archive: string, work: string): Promise<UnpackedImage> {
  const layout = join(work, 'layout')
  const root = join(work, 'root')
  await mkdir(layout, { recursive: true })
  await mkdir(root)
  await run('tar', ['-xf', archive, '-C', layout])
  const readBlob = async (digest: string) => {
    const [algorithm, hex = ''] = digest.split(':')
    const content = await readFile(join(layout, 'blobs', algorithm ?? '', hex))
    if (createHash('sha256').update(content).digest('hex') !== hex) throw new Error(`${digest} is another`)
    return content
  }
  const index = JSON.parse(await readFile(join(layout, 'index.json'), 'utf8'))
  const manifest = JSON.parse((await readBlob(index.manifests[0].digest)).toString())
  const { config, architecture } = JSON.parse((await readBlob(manifest.config.digest)).toString())
  let compressedBytes = 0
  for (const { digest, size } of manifest.layers) {
    const content = await readBlob(digest)
    if (content.length !== size) throw new Error(`${digest} has ${content.length} bytes`)
    compressedBytes += size
    await run('tar', ['-xzpf', join(layout, 'blobs', digest.replace(':', '/')), '-C', root])
  }
  return { root, architecture, config, compressedBytes }
}
