/** Where a file has the memory from in which its parts are gathered, hashed and written. */
export interface Blocks {
  /** Of each, in bytes: a multiple of what any disk wants of lengths and places. */
  readonly bytes: number
  take(): ArrayBuffer
  /** Nothing may use it any more. */
  giveBack(block: ArrayBuffer): void
}

/** Blocks for many files at once. */
export const smallBlocks: Blocks = {
  bytes: 512 * 1024,
  take: () => makeBlock(smallBlocks.bytes),
  giveBack: freeBlock,
}

/**
 * Blocks for few files at once: to hand a block to a thread, to the disk and back costs as much for a large one. Until they are freed they are
 * used again: V8, while it saves memory, looks through all of its heap when so many megabytes have come.
 */
export class LargeBlocks implements Blocks {
  readonly bytes = 4 * (1 << 20)
  #kept: ArrayBuffer[] = []

  take(): ArrayBuffer {
    return this.#kept.pop() ?? makeBlock(this.bytes)
  }

  giveBack(block: ArrayBuffer): void {
    this.#kept.push(block)
  }

  /** Gives the memory of those back that are not in use. */
  free(): void {
    for (const block of this.#kept.splice(0)) freeBlock(block)
  }
}

/**
 * Disks demand that what goes past the memory of the system begins at a page (`direct-file.ts`): of the memory of JavaScript that can go to another
 * thread, only what can be resized does. Until it is touched it costs nothing.
 */
export function makeBlock(bytes: number): ArrayBuffer {
  return new ArrayBuffer(bytes, { maxByteLength: bytes })
}

/** Gives its memory back at once: the garbage collector would leave it lying about. */
export function freeBlock(block: ArrayBuffer): void {
  block.transferToFixedLength(0)
}
