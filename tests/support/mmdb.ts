import { writeFileSync } from 'node:fs'
import { isIPv4 } from 'node:net'

type Value = string | number | Value[] | { [name: string]: Value }

const GAP = 16
const MARKER = Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1')

/**
 * A small database in MaxMind's format, as https://maxmind.github.io/MaxMind-DB/ describes it: a tree
 * of nodes of two 32-bit records, 16 zero bytes, the data, a marker, and the metadata.
 * @param networks records by network, such as `85.214.0.0/16`, none of them inside another
 */
export function writeMmdb(
  file: string,
  networks: Record<string, Value>,
  { ipVersion = 6 as 4 | 6, built = new Date('2026-06-17'), type = 'Test-City' } = {},
): string {
  const tree = [[undefined, undefined]] as Node[]
  const data: Buffer[] = []
  let size = 0
  for (const [network, record] of Object.entries(networks)) {
    insert(tree, bitsOf(network, ipVersion), { data: size })
    const bytes = encoded(record)
    data.push(bytes)
    size += bytes.length
  }
  const metadata = encoded({
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: built.getTime() / 1000,
    database_type: type,
    description: {},
    ip_version: ipVersion,
    languages: [],
    node_count: tree.length,
    record_size: 32,
  })
  writeFileSync(
    file,
    Buffer.concat([treeBytes(tree), Buffer.alloc(GAP), ...data, MARKER, metadata]),
  )
  return file
}

/** The next node's number, the place of a record in the data, or nothing. */
type Link = number | { data: number } | undefined
type Node = [Link, Link]

function insert(tree: Node[], bits: number[], leaf: Link) {
  let node = tree[0] as Node
  for (const bit of bits.slice(0, -1)) {
    const next = node[bit] ?? tree.push([undefined, undefined]) - 1
    node[bit] = next
    node = tree[next as number] as Node
  }
  node[bits.at(-1) as 0 | 1] = leaf
}

function treeBytes(tree: Node[]): Buffer {
  const bytes = Buffer.alloc(tree.length * 8)
  tree.flat().forEach((link, index) => {
    const value = typeof link === 'object' ? tree.length + GAP + link.data : (link ?? tree.length)
    bytes.writeUInt32BE(value, index * 4)
  })
  return bytes
}

/** The bits of a network from the tree's root. In a tree of both families, IPv4 stands below ::/96. */
function bitsOf(network: string, ipVersion: 4 | 6): number[] {
  const [address = '', length] = network.split('/')
  if (!isIPv4(address)) return numberBits(groupsOf(address), 16).slice(0, Number(length))
  const bits = numberBits(address.split('.').map(Number), 8).slice(0, Number(length))
  return ipVersion === 4 ? bits : [...new Array<number>(96).fill(0), ...bits]
}

function groupsOf(address: string): number[] {
  const [left = [], right = []] = address
    .split('::')
    .map((part) => (part ? part.split(':').map((group) => Number.parseInt(group, 16)) : []))
  return [...left, ...new Array<number>(8 - left.length - right.length).fill(0), ...right]
}

const numberBits = (numbers: number[], width: number) =>
  numbers.flatMap((number) => [...number.toString(2).padStart(width, '0')].map(Number))

function encoded(value: Value): Buffer {
  if (typeof value === 'string')
    return Buffer.concat([head(2, Buffer.byteLength(value)), Buffer.from(value)])
  if (typeof value === 'number') {
    const bytes = Buffer.alloc(4)
    bytes.writeUInt32BE(value)
    return Buffer.concat([head(6, 4), bytes])
  }
  if (Array.isArray(value)) return Buffer.concat([head(11, value.length), ...value.map(encoded)])
  const entries = Object.entries(value)
  return Buffer.concat([head(7, entries.length), ...entries.flat().map(encoded)])
}

/** The control byte, the type if it is above 7, and a size of 29 or more (up to 284) in a byte of its own. */
function head(type: number, size: number): Buffer {
  const bytes = [((type > 7 ? 0 : type) << 5) | Math.min(size, 29)]
  if (type > 7) bytes.push(type - 7)
  if (size >= 29) bytes.push(size - 29)
  return Buffer.from(bytes)
}
