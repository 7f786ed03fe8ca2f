export type UploadState = 'waiting' | 'sending' | 'reading' | 'done' | 'failed' | 'cancelled'

export interface Upload<Result> {
  key: number
  name: string
  sizeBytes: number
  state: UploadState
  /** Folder of the library; empty for none. */
  folder: string
  /** 0–100. */
  progress: number
  error?: unknown
  result?: Result
}

interface UploadQueueParts<Result> {
  /** Sends one file. Rejects when `signal` aborts; `onProgress` takes 0–100. */
  send: (
    file: File,
    how: { signal: AbortSignal; onProgress: (percent: number) => void; folder: string },
  ) => Promise<Result>
  onDone?: (result: Result) => void
  /** Files on their way at one time. */
  most?: number
}

/** Files on their way to the service: a few at a time, each with its progress, each to be cancelled or tried again. */
export function createUploadQueue<Result>({ send, onDone, most = 3 }: UploadQueueParts<Result>) {
  const files = new Map<number, File>()
  const ends = new Map<number, AbortController>()
  const listeners = new Set<() => void>()
  let uploads: readonly Upload<Result>[] = []
  let nextKey = 1

  function change(key: number, fields: Partial<Upload<Result>>): void {
    uploads = uploads.map((upload) => (upload.key === key ? { ...upload, ...fields } : upload))
    tell()
  }

  function tell(): void {
    for (const listener of listeners) listener()
  }

  function fill(): void {
    for (const { key, state, folder } of uploads) {
      if (ends.size >= most) return
      if (state === 'waiting') void run(key, folder)
    }
  }

  async function run(key: number, folder: string): Promise<void> {
    const file = files.get(key)
    if (!file) return
    const end = new AbortController()
    ends.set(key, end)
    change(key, { state: 'sending', progress: 0, error: undefined })
    try {
      const result = await send(file, {
        signal: end.signal,
        folder,
        onProgress: (percent) => change(key, { progress: percent, state: percent >= 100 ? 'reading' : 'sending' }),
      })
      change(key, { state: 'done', progress: 100, result })
      files.delete(key)
      onDone?.(result)
    } catch (error) {
      change(key, end.signal.aborted ? { state: 'cancelled' } : { state: 'failed', error })
    } finally {
      ends.delete(key)
      fill()
    }
  }

  return {
    add(added: readonly File[], folder = ''): void {
      const news = added.map((file): Upload<Result> => {
        const key = nextKey++
        files.set(key, file)
        return { key, name: file.name, sizeBytes: file.size, state: 'waiting', folder, progress: 0 }
      })
      uploads = [...uploads, ...news]
      tell()
      fill()
    },
    cancel(key: number): void {
      const end = ends.get(key)
      if (end) end.abort()
      else change(key, { state: 'cancelled' })
    },
    retry(key: number): void {
      if (!files.has(key) || ends.has(key)) return
      change(key, { state: 'waiting', progress: 0, error: undefined })
      fill()
    },
    /** Sends another file in the place of one that failed. */
    replace(key: number, file: File): void {
      if (!files.has(key) || ends.has(key)) return
      files.set(key, file)
      change(key, { name: file.name, sizeBytes: file.size, state: 'waiting', progress: 0, error: undefined })
      fill()
    },
    /** Takes what is over off the list. */
    clear(): void {
      for (const { key, state } of uploads) if (isOver(state)) files.delete(key)
      uploads = uploads.filter(({ state }) => !isOver(state))
      tell()
    },
    list: (): readonly Upload<Result>[] => uploads,
    subscribe(listener: () => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

export function isOver(state: UploadState): boolean {
  return state === 'done' || state === 'failed' || state === 'cancelled'
}
