import { type DeviceEvent, putFile, removeFile, type StoredFile } from '../device/device-state.ts'
import { VirtualPrinterError } from '../virtual-printer.ts'
import type { Commands } from './commands.ts'
import { watchForEjection } from './ejection-mark.ts'
import { hang } from './silent-link.ts'
import type { Simulation } from './simulation.ts'
import { type FileStore, receiveUpload } from './upload.ts'

/** The files in the storage of one printer, as they are sent, listed and deleted over the link. */
export class StoredFiles {
  private readonly simulation: Simulation
  private readonly commands: Commands
  private readonly slowFileStoreMs: number
  private readonly uploading = new Set<string>()

  constructor(simulation: Simulation, commands: Commands, slowFileStoreMs: number) {
    this.simulation = simulation
    this.commands = commands
    this.slowFileStoreMs = slowFileStoreMs
  }

  upload(fileName: string, sizeBytes: number, content: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<void> {
    const { memory, link } = this.simulation
    const watched = watchForEjection(content)
    const store: FileStore = {
      isSilent: () => link.isSilent,
      isBreaking: () => memory.state.faults.includes('half_upload'),
      begin: (name) => this.begin(name),
      settle: (settling) => this.settle(settling),
      finish: (name, size) =>
        this.finish({ fileName: name, sizeBytes: size, isComplete: true, ...(watched.ejects() && { ejects: true }) }),
      breakOff: (name, receivedBytes, reason) => this.breakOff(name, receivedBytes, reason),
    }
    const bounded = AbortSignal.any([signal, link.signal])
    return receiveUpload({ fileName, sizeBytes, content: watched.content, signal: bounded }, store)
  }

  async list(signal: AbortSignal): Promise<{ fileName: string; sizeBytes: number }[]> {
    const { memory, link } = this.simulation
    signal.throwIfAborted()
    if (link.isSilent) return hang(signal)
    if (memory.state.faults.includes('slow_file_store')) await link.wait(this.slowFileStoreMs, signal)
    return this.simulation.answer(signal, () =>
      memory.state.files.map(({ fileName, sizeBytes }) => ({ fileName, sizeBytes })),
    )
  }

  delete(fileName: string, signal: AbortSignal): Promise<void> {
    const { memory } = this.simulation
    return this.simulation.answer(signal, () => {
      memory.commit({ state: removeFile(memory.state, fileName), events: [] })
    })
  }

  private begin(fileName: string): void {
    const { memory } = this.simulation
    const seconds = this.simulation.catchUp()
    try {
      if (this.uploading.has(fileName)) throw new VirtualPrinterError('BUSY', `${fileName} is being uploaded.`)
      memory.commit({ state: putFile(memory.state, { fileName, sizeBytes: 0, isComplete: false }), events: [] })
    } catch (error) {
      if (error instanceof VirtualPrinterError) {
        this.commands.log(seconds, 'refused', fileName, `upload: ${error.message}`)
      }
      throw error
    }
    this.uploading.add(fileName)
  }

  private async settle(signal: AbortSignal): Promise<void> {
    const { memory, link } = this.simulation
    if (memory.state.faults.includes('slow_file_store')) await link.wait(this.slowFileStoreMs, signal)
    if (memory.state.faults.includes('storage_full')) {
      throw new VirtualPrinterError('STORAGE_FULL', 'There is no room left.')
    }
  }

  private finish(file: StoredFile): void {
    this.put(file, 'uploaded', `${file.sizeBytes} bytes`)
  }

  private breakOff(fileName: string, receivedBytes: number, reason: string): void {
    // Without power nothing counts what came; the file is already marked as partial.
    if (!this.simulation.link.isOn) this.uploading.delete(fileName)
    else this.put({ fileName, sizeBytes: receivedBytes, isComplete: false }, 'upload_broken', reason)
  }

  private put(file: StoredFile, kind: 'uploaded' | 'upload_broken', detail: string): void {
    const { memory } = this.simulation
    const { fileName } = file
    this.uploading.delete(fileName)
    const seconds = this.simulation.catchUp()
    const event: DeviceEvent = { seconds, kind, fileName, runId: null, detail }
    memory.commit({ state: putFile(memory.state, file), events: [event] })
  }
}
