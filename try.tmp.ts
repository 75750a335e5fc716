import { ClickHouse } from '/tmp/w/ch/src/server/analytics/store/clickhouse/clickhouse.ts'
import { makeTables } from '/tmp/w/ch/src/server/analytics/store/clickhouse/tables.ts'
import { spawn } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
const p = spawn('node', ['/tmp/w/ch/tests/support/clickhouse-program.ts','/tmp/chdb', mkdtempSync('/tmp/chd-'), '18123'], {stdio:['ignore','pipe','inherit']})
await new Promise(r => p.stdout.once('data', r))
const admin = new ClickHouse({ url: 'http://127.0.0.1:18123' })
await admin.run('create database t1')
const c = new ClickHouse({ url: 'http://127.0.0.1:18123/t1' })
try {
await makeTables(c); await makeTables(c)
const row = (n: number) => JSON.stringify(['w','c'+n%2, Date.UTC(2026,0,31,23,59,0)+n*1000, n, 'abc', '12345678901234567890', 'person','4 x','DE',null,null,'Mobile','iOS','Safari',null,'en','agent text',null,null])
await c.insert('scans', Array.from({length:100},(_, n)=>row(n)), 'tok1')
await c.insert('scans', Array.from({length:100},(_, n)=>row(n)), 'tok1')
console.log(await c.rows('select code_id, count() as n, uniqExact(visitor) as v, min(day) as d, any(country) as co, any(region) as r, any(visitor) as vis from scans where code_id in {ids:Array(String)} and workspace_id = {w:String} group by code_id', { ids: ['c0','c1',"it's"], w: 'w' }))
console.log(await c.rows('select partition, sum(rows) as r from system.parts where active group by partition'))
} catch (e) { console.log(e) }
p.kill('SIGKILL')
