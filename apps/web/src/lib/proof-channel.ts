/** Between the pages of this service in one browser: the page in which a person comes back from the provider, and the one that waits. */
const name = 'printyard-proof'

/** Tells the page that waits for it that the person has shown who they are. */
export function announceProof(): void {
  const channel = new BroadcastChannel(name)
  channel.postMessage('proven')
  channel.close()
}

/** Calls `listener` when another page tells it. Answers what ends it. */
export function onProven(listener: () => void): () => void {
  const channel = new BroadcastChannel(name)
  channel.onmessage = listener
  return () => channel.close()
}
