// SQLite as FDM Monster's server uses it of better-sqlite3, over the one that comes with Node: the package itself would have to be
// compiled at its installation.
const { DatabaseSync } = require('node:sqlite')

class Statement {
  constructor(statement) {
    this.statement = statement
    this.reader = statement.columns().length > 0
  }
  all(...parameters) {
    return this.statement.all(...parameters)
  }
  get(...parameters) {
    return this.statement.get(...parameters)
  }
  run(...parameters) {
    return this.statement.run(...parameters)
  }
}

module.exports = class Database {
  constructor(path) {
    this.database = new DatabaseSync(path)
    this.open = true
  }
  prepare(sql) {
    return new Statement(this.database.prepare(sql))
  }
  exec(sql) {
    this.database.exec(sql)
    return this
  }
  pragma(text) {
    return this.database.prepare(`PRAGMA ${text}`).all()
  }
  close() {
    this.open = false
    this.database.close()
  }
}
