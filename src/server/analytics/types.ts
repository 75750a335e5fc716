import type { IncomingHttpHeaders } from 'node:http'
import type { ScanAttributes } from './store/scan.ts'

/** The parts of a request that describe its visitor. */
export type Visit = {
  method: string
  /** The visitor's, behind the proxies that we trust */
  address: string
  /** The address of the connection: the last proxy's, or the visitor's own */
  peer?: string | undefined
  headers: IncomingHttpHeaders
}

/** A visitor's hash is 16 ASCII characters, as they lie in memory. */
export type ClassifiedVisit = { attributes: ScanAttributes; visitor: Uint32Array | null }

/** The UTM parameters of where a scan leads, and the branch that it takes there */
export type Met = { utm: string | null; branch?: string | null }

/** A visitor as we read a request: a person, a preview or a bot, where, and with which device. */
export type Reading = ClassifiedVisit & {
  address: string
  /** The same with what this visitor met last */
  met?: ClassifiedVisit
}

/** Reads visitors, and records their scans. */
export type ScanRecorder = {
  /** Never throws. @param at epoch milliseconds */
  read(visit: Visit, at: number): Reading
  /** `answer` is called once, when the redirect may go out. */
  record(codeId: string, reading: Reading, answer: () => void, at: number, met: Met): void
}
