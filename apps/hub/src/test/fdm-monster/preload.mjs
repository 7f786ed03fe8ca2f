// Loaded before FDM Monster's server: keeps it on loopback, and gives it the SQLite of Node.
import { registerHooks } from 'node:module'
import net from 'node:net'

registerHooks({
  resolve(specifier, context, next) {
    if (specifier !== 'better-sqlite3') return next(specifier, context)
    return { url: new URL('sqlite-of-node.cjs', import.meta.url).href, format: 'commonjs', shortCircuit: true }
  },
})

// It would ask GitHub for its pages and tell Sentry of errors.
const connect = net.Socket.prototype.connect
net.Socket.prototype.connect = function connectToLoopback(...args) {
  const [first] = args
  const options = Array.isArray(first) ? first[0] : first
  const host = (typeof options === 'object' ? options?.host : args[1]) ?? 'localhost'
  if (/^(127\.|localhost$|::1$)/.test(host)) return connect.apply(this, args)
  process.nextTick(() => this.destroy(new Error(`${host} is not on loopback`)))
  return this
}

const listen = net.Server.prototype.listen
net.Server.prototype.listen = function listenOnLoopback(...args) {
  return listen.apply(
    this,
    args.map((arg) => (arg === '0.0.0.0' ? '127.0.0.1' : arg)),
  )
}
