import { isMainThread } from 'node:worker_threads'

// Imported for what it does: when the process that started this one ends, this one stops in order. A program in its own
// process group is not reached by a signal to its starter's group, and npm tells of SIGTERM only the shell between it
// and the script, which then dies alone. Node hands `--import` on to workers, which need none of this.
if (isMainThread) {
  const starter = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === starter) return
    clearInterval(watch)
    process.kill(process.pid, 'SIGTERM')
  }, 500)
  watch.unref()
}
