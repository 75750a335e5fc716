import { setImmediate } from 'node:timers/promises'
import { deflateRawSync } from 'node:zlib'
import { Zip, ZipDeflate, ZipPassThrough } from 'fflate'

/** A file that goes into a ZIP: whole if it is small, or a text in parts. */
export type ZipFile = { name: string } & (
  | { whole: Uint8Array; isPacked: boolean }
  | { parts: AsyncIterable<string> }
)

/** Quick: it runs between redirects. */
const LEVEL = 3
/** ZIP's number of "deflated" (APPNOTE 4.4.5) */
const DEFLATED = 8

/**
 * A small file, compressed at once. fflate keeps what it knows of each file until the end, and with
 * its own compressor that is 100 kB.
 */
class SmallFile extends ZipPassThrough {
  override compression = DEFLATED

  protected override process(whole: Uint8Array, final: boolean) {
    this.ondata(null, deflateRawSync(whole, { level: LEVEL }), final)
  }
}

/**
 * A ZIP with these files, in parts. No part is made before the reader takes the one before.
 * @throws what the files throw; then the ZIP has no end, and no program takes it for a whole one
 */
export async function* zipStream(files: AsyncIterable<ZipFile>, now: Date) {
  const ready: Uint8Array[] = []
  const zip = new Zip((error, part) => {
    if (error) throw error
    ready.push(part)
  })
  for await (const file of files) {
    for await (const _ of added(zip, file, now)) {
      yield* ready.splice(0)
      // Redirects come in between.
      await setImmediate()
    }
  }
  zip.end()
  yield* ready.splice(0)
}

/** Adds a file, and pauses after each part of it. */
async function* added(zip: Zip, file: ZipFile, now: Date) {
  const entry = entryOf(file)
  entry.mtime = now
  zip.add(entry)
  if ('whole' in file) {
    entry.push(file.whole, true)
    yield
    return
  }
  const text = new TextEncoder()
  for await (const part of file.parts) {
    entry.push(text.encode(part))
    yield
  }
  entry.push(new Uint8Array(), true)
  yield
}

function entryOf(file: ZipFile) {
  if ('parts' in file) return new ZipDeflate(file.name, { level: LEVEL })
  return file.isPacked ? new ZipPassThrough(file.name) : new SmallFile(file.name)
}
