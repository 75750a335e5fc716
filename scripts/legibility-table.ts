/**
 * `node scripts/legibility-table.ts`: checks every preset in both styles and writes what comes out to
 * docs/legibility.md, failures included.
 */

import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { colourPresets, IMAGE_SIZE } from '#contract/pictures/pictures.ts'
import {
  decoderNames,
  type Legibility,
  type ScanCondition,
  scanConditions,
  verdicts,
} from '#qr/scan-check/verdict.ts'
import { DEFAULT_LOOK, type Style, styles } from '#qr/symbol/look.ts'
import { checkLook } from '../src/server/pictures/checks.ts'

/** As long as most short links are. */
const LINK = 'https://tessera.example/qr/k7m2xq9'

export const tableFile = fileURLToPath(new URL('../docs/legibility.md', import.meta.url))

const conditionNames: Record<ScanCondition, string> = {
  asIs: 'as is',
  small: 'small',
  blurred: 'blurred',
  lowLight: 'low light',
}

interface Row extends Legibility {
  readonly preset: string
  readonly style: Style
}

/** The text of docs/legibility.md, as it is today. */
export async function legibilityTable(): Promise<string> {
  const rows = await checkedPresets()
  return `# Which looks can be scanned

Written by \`node scripts/legibility-table.ts\`; do not edit. What the conditions are and how a verdict
comes about is in [decision 10](decisions/0010-the-scan-check.md). The link is
\`${LINK}\` at error correction ${DEFAULT_LOOK.ecc}. No decoder tries the negative of a
picture, except for the damage margin of an inverted code.

${table(rows)}

## Not read

${failures(rows).join('\n')}

## Why

${explanations(rows).join('\n')}
`
}

async function checkedPresets(): Promise<Row[]> {
  const rows: Row[] = []
  for (const { name, foreground, background } of colourPresets) {
    for (const style of styles) {
      const design = { ...DEFAULT_LOOK, text: LINK, style, foreground, background }
      rows.push({ preset: name, style, ...(await checkLook({ design, size: IMAGE_SIZE.default })) })
    }
  }
  return rows
}

function table(rows: Row[]): string {
  const cells = scanConditions.flatMap((condition) =>
    decoderNames.map((decoder) => ({ condition, decoder })),
  )
  const tests = cells.map(({ condition, decoder }) => `${conditionNames[condition]}, ${decoder}`)
  const head = ['preset', 'style', 'contrast', 'inverted', ...tests, 'damage margin', 'verdict']
  const body = rows.map((row) => [
    row.preset,
    row.style,
    row.contrast.toFixed(2),
    yesOrNo(row.inverted),
    ...cells.map(({ condition, decoder }) => yesOrNo(row.reads[condition][decoder])),
    `${(100 * row.damageMargin).toFixed(1)} %`,
    row.verdict,
  ])
  return [head, head.map(() => '---'), ...body].map((line) => `| ${line.join(' | ')} |`).join('\n')
}

function nameOf({ preset, style }: Row): string {
  return `${preset} ${style}`
}

function yesOrNo(answer: boolean): string {
  return answer ? 'yes' : 'no'
}

/** A line for each look and decoder that fails together, with the conditions it fails in. */
function failures(rows: Row[]): string[] {
  return rows.flatMap((row) =>
    decoderNames.flatMap((decoder) => {
      const failed = scanConditions.filter((condition) => !row.reads[condition][decoder])
      const conditions = failed.map((condition) => conditionNames[condition]).join(', ')
      return failed.length ? [`- ${nameOf(row)} by ${decoder}: ${conditions}`] : []
    }),
  )
}

/** A line for each reason that was given, best verdicts first. */
function explanations(rows: Row[]): string[] {
  return verdicts.flatMap((verdict) => {
    const judged = rows.filter((row) => row.verdict === verdict)
    return [...Map.groupBy(judged, ({ reason }) => reason)].map(
      ([reason, looks]) => `- ${verdict}: ${reason} (${looks.map(nameOf).join(', ')})`,
    )
  })
}

if (import.meta.main) await writeFile(tableFile, await legibilityTable())
