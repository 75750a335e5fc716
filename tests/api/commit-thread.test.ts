import { describe, expect, test } from 'vitest'
import { CommitThread } from '../../src/server/analytics/capture/commit-thread.ts'
import { engines } from '../support/engines.ts'
import { pastLine } from '../support/past-scans.ts'
import { startTessera } from '../support/tessera.ts'

const CODE = '5f0c8d1e-0000-4000-8000-000000000000'
const newLine = () => pastLine({ code_id: CODE, at: Date.now() })

describe.each(engines)('the recorder’s thread on %s', (engine) => {
  test('what is asked for at once shares a transaction, and each asker hears of it', async () => {
    const tessera = await startTessera({ engine })
    const thread = new CommitThread(tessera.database.location)
    const batches = Array.from({ length: 5 }, () => [newLine(), newLine()])
    const replies = await Promise.all(batches.map((lines) => thread.commit(lines)))
    expect(replies.map((reply) => reply.ok)).toEqual([true, true, true, true, true])
    const transactions = replies.reduce((sum, reply) => sum + (reply.ok ? reply.commits : 0), 0)
    expect(transactions).toBeLessThan(5)
    const { rows } = await tessera.database.db
      .selectFrom('scans')
      .select((row) => row.fn.countAll<number>().as('rows'))
      .where('code_id', '=', CODE)
      .executeTakeFirstOrThrow()
    expect(Number(rows)).toBe(10)
    await thread.stop()
    await tessera.stop()
  })
})
