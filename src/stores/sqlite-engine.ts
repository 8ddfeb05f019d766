/** Opens SQLite databases: with Node.js itself where its SQLite keeps all texts, as in 24, and else with SQLite as WebAssembly. */
import { rmdirSync } from 'node:fs'

/** A value of a column. */
export type Cell = string | number | Uint8Array | null

export interface Statement {
  run(...values: Cell[]): void
  /** All rows. A statement whose rows are not all read would keep its transaction open. */
  all(...values: Cell[]): Record<string, Cell>[]
}

/** An open database. Each method throws an `Error` with the message of SQLite. */
export interface Database {
  exec(sql: string): void
  prepare(sql: string): Statement
  close(): void
}

export interface Engine {
  name: 'node:sqlite' | 'wasm'
  /** Opens a file, or creates it. No other process may have it open. */
  open(path: string): Database
}

/** @param name the engine. @default `node:sqlite` if it keeps all texts */
export async function loadEngine(name?: Engine['name']): Promise<Engine> {
  const native = name === 'wasm' ? undefined : loadNative()
  return native ?? loadWasm()
}

interface NativeModule {
  DatabaseSync: new (path: string) => Database
}

function loadNative(): Engine | undefined {
  const { emitWarning } = process
  try {
    // Node.js 22 warns that its SQLite is experimental, although it is stable enough for us.
    process.emitWarning = () => {}
    const found = process.getBuiltinModule('node:sqlite') as NativeModule | undefined
    if (!found || !keepsTexts(found)) return undefined
    return { name: 'node:sqlite', open: (path) => new found.DatabaseSync(path) }
  } finally {
    process.emitWarning = emitWarning
  }
}

/** Node.js 22 cuts texts at NUL. */
function keepsTexts({ DatabaseSync }: NativeModule): boolean {
  const database = new DatabaseSync(':memory:')
  const [row] = database.prepare('select ? as text').all('a\0b')
  database.close()
  return row?.['text'] === 'a\0b'
}

async function loadWasm(): Promise<Engine> {
  const { default: sqlite } = await import('node-sqlite3-wasm')
  return {
    name: 'wasm',
    open(path) {
      // It locks a file with a folder, which outlives a process that is killed. The store has a lock of its own.
      attempt(() => rmdirSync(`${path}.lock`))
      const database = new sqlite.Database(path)
      const statements = new Map<string, InstanceType<typeof sqlite.Statement>>()
      /** A statement that failed cannot be used again. */
      const use = <T>(sql: string, work: (statement: InstanceType<typeof sqlite.Statement>) => T): T => {
        const statement = statements.get(sql) ?? database.prepare(sql)
        statements.set(sql, statement)
        try {
          return work(statement)
        } catch (error) {
          statements.delete(sql)
          attempt(() => statement.finalize())
          throw error
        }
      }
      return {
        exec: (sql) => database.exec(sql),
        prepare: (sql) => ({
          run: (...values) => void use(sql, (statement) => statement.run(values)),
          all: (...values) => use(sql, (statement) => statement.all(values)) as Record<string, Cell>[],
        }),
        close() {
          for (const statement of statements.values()) statement.finalize()
          database.close()
        },
      }
    },
  }
}

/** Does something that may be impossible. */
export function attempt(work: () => void): void {
  try {
    work()
  } catch {
    // There is nothing to do.
  }
}

/** Whether an error of SQLite means that pages of the file are damaged. */
export function isDamage(error: unknown): boolean {
  return /malformed|not a database|unsupported file format|too large to be represented/.test(String(error))
}
