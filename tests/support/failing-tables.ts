import type { LedgerTables } from '../../src/server/analytics/store/fold/ledger-tables.ts'

/** When a statement fails: before the engine gets it, or when it has carried it out. */
export type Failure = 'before' | 'after' | undefined

/** Tables whose statements fail as `next` says, each time as if the connection were lost. */
export function failingTables(tables: LedgerTables, next: () => Failure): LedgerTables {
  let isLost = false
  const lose = () => {
    isLost = true
    tables.close()
    throw new Error('the connection is lost')
  }
  return new Proxy(tables, {
    get(target, name: keyof LedgerTables) {
      if (name === 'close') return () => isLost || target.close()
      return async (...cells: never[]) => {
        if (isLost) throw new Error('the connection is gone')
        const failure = next()
        if (failure === 'before') lose()
        const answer = await (target[name] as (...cells: never[]) => unknown).apply(target, cells)
        if (failure === 'after') lose()
        return answer
      }
    },
  })
}
