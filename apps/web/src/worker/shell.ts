/** The files of one build of the dashboard. */
export interface Shell {
  /** Of the cache that holds them: another one for each build. */
  cache: string
  /** The script that the page starts with, which tells one build from another. */
  entry: string
  /** Paths of scripts, styles and icons; the page itself is `/`. */
  files: string[]
}

const cachePrefix = 'printyard-shell-'

/** As the service has it: addresses of programs are no pages of the dashboard. */
const programPaths = /^\/(?:public|app|hub|api|docs|assets|livez|readyz|metrics)(?:\/|$)/

export function isPageOfDashboard(path: string): boolean {
  return !programPaths.test(path) && !/\.\w+$/.test(path)
}

/**
 * Fetches all of a build, or keeps nothing: while a service is updated, the page may already be of another build than the
 * worker, and half of each would be a dashboard that does not work.
 */
export async function storeShell(shell: Shell): Promise<void> {
  const page = await fetch('/', { headers: { accept: 'text/html' }, cache: 'no-store' })
  const text = await page.clone().text()
  if (!page.ok || !text.includes(`"${shell.entry}"`)) throw new Error('the page is not of the build of this worker')
  try {
    const cache = await caches.open(shell.cache)
    await cache.addAll(shell.files)
    await cache.put('/', page)
  } catch (error) {
    await caches.delete(shell.cache)
    throw error
  }
}

/** Keeps the build before this one, because pages that are open may still load parts of it. */
export async function dropOldShells(shell: Shell): Promise<void> {
  const others = (await caches.keys()).filter((name) => name.startsWith(cachePrefix) && name !== shell.cache)
  await Promise.all(others.slice(0, -1).map((name) => caches.delete(name)))
}

/** A page from the network, and the kept one where there is none or what stands before the service says that it is away. */
export async function answerPage(shell: Shell, request: Request, preloaded: Promise<Response | undefined>) {
  const answer = await fromNetwork(request, preloaded)
  if (answer !== undefined && ![502, 503, 504].includes(answer.status)) return answer
  const kept = await (await caches.open(shell.cache)).match('/', { ignoreVary: true })
  return kept ?? answer ?? Response.error()
}

async function fromNetwork(request: Request, preloaded: Promise<Response | undefined>): Promise<Response | undefined> {
  try {
    return (await preloaded) ?? (await fetch(request))
  } catch {
    // No network, or no service.
    return undefined
  }
}

/** Names of assets carry their hash: what is kept under a name is what the service would send. */
export async function answerAsset(request: Request): Promise<Response> {
  return (await caches.match(request, { ignoreVary: true })) ?? fetch(request)
}
