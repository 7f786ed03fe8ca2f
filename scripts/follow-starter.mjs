import { isMainThread } from 'node:worker_threads'

// Loaded into a program that runs in its own process group: killing the starter's group does not reach it, so it looks
// whether its starter still lives, and stops in order when not. Node hands `--import` on to workers, which need none.
if (isMainThread) {
  const starter = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === starter) return
    clearInterval(watch)
    process.kill(process.pid, 'SIGTERM')
  }, 1000)
  watch.unref()
}
