import type { Call, OpenApi, Schema } from './open-api.ts'

/**
 * The meaning of a field or a parameter, by its name, for one word means one thing. Where it means
 * something else in one schema, field or call, the name of that stands before it. A name with a ? is that of
 * a parameter: no field has its words. A schema's own description comes first.
 */
const words: Record<string, string> = {
  // Codes
  id: 'Never changes.',
  '?id': 'The id of what the call is about, as the lists have it.',
  name: 'For you: people who scan the code don’t see it.',
  url: 'The page the code leads to, with http:// or https://.',
  domain: 'The host of its link: one of your domains, or null for this site’s.',
  vanityUrl:
    'The custom URL: the path of the short link; null for none. It’s in lower case, unless an import onto your domain brought it. Earlier ones keep working.',
  style: 'Classic (sharp corners) or rounded.',
  foregroundColor: 'Hex color of the modules, such as #1e40af.',
  backgroundColor: 'Hex color behind them, such as #f0f9ff.',
  ecc: 'Error correction: L (7%), M, Q or H (30%).',
  compact: 'Writes the link in capitals, which makes the code less dense.',
  artwork: 'Shapes, eyes, gradient, logo and frame; null for a plain code.',
  pictureVersion: 'Changes whenever the picture changes. An address with it can be cached forever.',
  legibility: 'The scan rating; null until the code is checked.',
  tags: 'Names of tags. Those you don’t have yet are created.',
  'QrCode.link': 'The short link that the picture holds.',
  'QrCode.tags': 'The names of its tags.',
  'listQrCodes.link':
    'A short link, or only its path: a short code, or a custom URL that the code has or had.',
  'exportQrCodes.link':
    'A short link, or only its path: a short code, or a custom URL that the code has or had.',
  externalId:
    'Your own id for the code. No two codes of an account have the same one, and one in the trash keeps its own.',
  passQuery:
    'True adds the parameters of the scanned link, such as ?table=7, to the destination. Those that it has itself come first, and stay.',
  '?importId':
    'Only codes of this import. Like the import itself, it’s known for a week after publishing.',
  '?createdFrom': 'Only codes created at this time or later.',
  '?createdBefore': 'Only codes created before this time.',
  'QrCodesDone.ids': 'The codes that are different now, or would be.',
  'QrCodesDone.dryRun': 'True if nothing was changed.',
  tag: 'All codes with this tag, by its name.',
  dryRun: 'True changes nothing, and the response says what would.',
  change: 'The same fields for all of the codes.',
  shortCode: 'The path that always works: /qr/{shortCode}.',
  isActive: 'False if the code is paused: people who scan it see that.',
  expiresAt: 'When a code from the Free plan expires; null if it never does.',
  createdAt: 'When it was created.',
  version: 'Counts the changes. `ETag` and `If-Match` have it in quotes.',
  deletedAt: 'When it was deleted.',
  purgedAt: 'When it leaves the trash for good, with its scans.',
  items: 'This page of the list.',
  nextCursor: 'Send it as `cursor` to get the next page; null after the last.',
  rows: 'One per code to create.',
  look: 'The codes’ design. Without it they get your default design.',
  // Domains
  'Domain.host': 'In lower case. Letters beyond ASCII are in Punycode.',
  host: 'Such as qr.example.com. It has to be yours.',
  'Domain.state':
    'Pending until its records are there, active, failing (leads on though a record is gone), or removed.',
  isProven: 'True from the TXT record on: links work on it.',
  'Domain.isDefault': 'New codes have their links on it.',
  'DomainChange.isDefault': 'New codes have their links on it.',
  homeUrl: 'Where its root and unknown names lead; null for a page that says so.',
  records: 'The first proves that it’s yours, one of the others points it here.',
  'Domain.codes': 'How many codes have their links on it.',
  'Domain.checkedAt': 'When we last asked DNS; null if we haven’t.',
  'Domain.endsAt': 'When a removed domain stops; null for any other.',
  'DnsRecord.type': 'The kind of record.',
  'DnsRecord.name': 'The whole name. Some providers want it without your domain.',
  'DnsRecord.value': 'What to enter at your DNS provider.',
  'DnsRecord.found': 'What DNS has now; null if it hasn’t answered.',
  isThere: 'True if DNS has the value.',
  'DomainList.limit': 'How many domains your plan has.',
  domains: 'The first one first.',
  // Parameters of lists
  '?limit': 'How many to return. The response then has `nextCursor`.',
  '?cursor': '`nextCursor` of the previous page.',
  '?page': 'Which 25 codes, from 1. Programs should use `cursor`: nothing moves between pages.',
  '?q': 'Words in the name, the destination or the path.',
  '?status': 'Only codes with this status; `unscanned` means no scans for 30 days.',
  '?tag': 'Only codes with this tag, by its name.',
  '?sort': 'The order; prefix a - to reverse it. Lists with a cursor can’t be sorted by scans.',
  'Idempotency-Key':
    'Your own name for this call, 1 to 255 characters. Repeated calls with the same key run only once in 24 hours.',
  'If-Match': 'The `ETag` you read. If the code has changed since, the response is 412.',
  'If-None-Match':
    '`*` if the code must not be there yet, or the `ETag` of a version that it must not have: else the response is 412.',
  // Artwork
  modules: 'Shape of the modules; null follows `style`.',
  eyeFrame: 'Shape of the eye frames, the rings in three corners.',
  eyeBall: 'Shape of the eye centers.',
  eyeFrameColor: 'Hex color of the eye frames; null for the same as the modules.',
  eyeBallColor: 'Hex color of the eye centers; null for the same as the modules.',
  gradient: 'From the color of the modules to another color.',
  'gradient.kind': 'Linear, or from the center to the corners.',
  'gradient.to': 'Hex color it ends with.',
  angle: 'In degrees: 0 runs right, 90 down.',
  transparent: 'Leaves out the background.',
  margin: 'The empty margin around the code, in modules.',
  logo: 'A picture in the center.',
  'logo.id': 'The id of a logo you’ve uploaded.',
  'logo.size': 'Its size, in modules. Error correction sets the limit.',
  'logo.margin': 'Between the logo and its plate, in modules.',
  plate: 'What’s behind the logo.',
  frame: 'A frame with text around the code.',
  shape: 'The kind of frame.',
  text: 'What the frame says, such as “Scan me”.',
  'frame.size': 'How large the text is.',
  color: 'Hex color of the frame.',
  textColor: 'Hex color of its text.',
  // Pictures and print
  format: 'The file format.',
  fg: 'Another color for the modules in this picture, such as 1e40af.',
  bg: 'Another color behind them.',
  size: 'The edge in pixels.',
  mm: 'The edge in print in millimeters, including the margin.',
  cmyk: 'For PDF and EPS: the four inks of a printing press.',
  t: 'Any value: a new one bypasses caches.',
  v: 'The code’s `pictureVersion`: with the current one, the response can be cached forever.',
  ids: 'The ids of the codes, up to 1,000.',
  paper: 'A4 or US Letter.',
  columns: 'Labels per row.',
  'Labels.rows': 'Labels per column.',
  sheet: 'An Avery sheet by its number. Without it and `sizes`, the paper is divided evenly.',
  sizes: 'A custom size, in millimeters.',
  'sizes.columns': 'Labels per row.',
  'sizes.rows': 'Labels per column.',
  pageWidth: 'Of the paper.',
  pageHeight: 'Of the paper.',
  labelWidth: 'Of a label; for round labels, the diameter.',
  labelHeight: 'Of a label; for round labels, the diameter.',
  marginLeft: 'From the edge of the paper to the first label.',
  marginTop: 'From the edge of the paper to the first label.',
  gapX: 'Between labels in a row.',
  gapY: 'Between labels in a column.',
  isRound: 'The labels are round.',
  cutLines: 'Draws lines to cut along.',
  first: 'The first free label on a sheet you’ve already started, counted from 1, row by row.',
  caption: 'The text with each code.',
  captions: 'Text instead of the name, by the code’s id.',
  drawnNames: 'Names as pictures, by the code’s id, for letters our fonts don’t have.',
  width: 'In pixels.',
  height: 'In pixels.',
  ink: 'One bit per pixel, in rows of whole bytes, deflated, as base64.',
  verdict: 'The result in a word.',
  reason: 'The result in a sentence.',
  contrast: 'Between the two colours, from 1 to 21.',
  inverted: 'The modules are lighter than the background, which some scanners can’t read.',
  reads: 'Which scanner reads it, and under which conditions.',
  damageMargin: 'How much of the code can be covered before it stops scanning, from 0 to 1.',
  found: 'What the photo shows.',
  path: 'The path of the short link that was read.',
  trouble: 'Why the photo can’t be read.',
  proof: 'What’s kept of the check.',
  checkedAt: 'When it was checked.',
  shown: 'Your code in the photo; null for none.',
  isInBin: 'Whether it’s in the trash.',
  // Tags, styles, logos
  'NewTag.name': 'At most 40 characters, without a comma.',
  'Tag.name': 'Two tags never differ only in capitals.',
  'TagChange.name': 'At most 40 characters, without a comma.',
  colour: 'The tag’s color.',
  'Tag.codes': 'How many codes have it.',
  add: 'Ids of codes to add the tag to.',
  remove: 'Ids of codes to remove it from.',
  changed: 'How many codes have changed.',
  'NewStyle.name': 'At most 60 characters.',
  'StyleChange.name': 'At most 60 characters.',
  'Style.name': 'At most 60 characters.',
  'Style.look': 'What new codes with this design look like.',
  'NewStyle.look': 'What you leave out is as in a plain code.',
  'StyleChange.look': 'What you leave out is as in a plain code.',
  isDefault: 'New codes start with it. At most one of your designs is the default.',
  'Logo.name': 'The name of the file.',
  'sendLogo.name': 'The name of the file.',
  reach: 'How far it’s visible from its center, in halves of its longer edge.',
  // Analytics
  '?qr': 'The id of a code, or up to 100 with commas between them. Without it, all codes count.',
  'shareFigures.qr': 'The id of the code.',
  'listShares.qr': 'The id of the code.',
  '?range':
    'Which days: the last ones, a whole week or month of the calendar, or `free` with `from` and `to`.',
  range: 'The range that was counted.',
  '?from': 'The first day of a custom range, such as 2026-03-01.',
  '?to': 'The last day of a custom range.',
  'range.from': 'The first instant that counts.',
  'range.to': 'The instant at which it ends.',
  'ScansFile.from': 'The first instant it has.',
  tz: 'A time zone such as Europe/Berlin, in which days, weeks and months begin.',
  weekStart: 'The weekday on which weeks begin, from 1 for Monday to 7 for Sunday.',
  by: 'What each point of the line stands for.',
  kind: 'Scans by people, or visits by bots.',
  facet: 'What the scans are broken down by.',
  '?country': 'Only scans from this country, such as DE.',
  '?region': 'Only scans from this region.',
  '?city': 'Only scans from this city.',
  '?device': 'Only scans with this kind of device.',
  '?os': 'Only scans with this operating system.',
  '?browser': 'Only scans with this browser.',
  '?app': 'Only scans in this app.',
  '?language': 'Only scans in this language.',
  '?referrer': 'Only scans from this site.',
  country: 'The country, such as DE; null if unknown.',
  region: 'Null if unknown.',
  city: 'Null if unknown.',
  device: 'Mobile, Tablet, Desktop and so on; null if unknown.',
  os: 'The operating system; null if unknown.',
  browser: 'The browser; null if unknown.',
  app: 'The app it was opened in; null for none.',
  language: 'The language of the device; null if unknown.',
  referrer: 'The site it came from; null for none.',
  'place.country': 'Its English name; null if unknown.',
  topCountries: 'Most scans first.',
  topDevices: 'Most scans first.',
  'topCountries.country': 'Its English name.',
  countryCode: 'ISO 3166-1 alpha-2.',
  place: 'Where it was.',
  'Now.scans': 'The last 20, newest first.',
  'Now.at': 'When this was counted.',
  at: 'When it was scanned.',
  scan: 'The last one; null if there was none.',
  'scans.id': 'The id of the scan.',
  'scans.code': 'The code that was scanned.',
  'code.name': 'The name of the code.',
  'codes.name': 'The name of the code.',
  'shown.name': 'The name of the code.',
  'tags.name': 'The name of the tag.',
  'ScansFile.name': 'The name of the file.',
  after: 'An instant such as 2026-03-05T09:50:00Z.',
  isFirst: 'True for the first scan of this visitor that day (UTC); null for what no person did.',
  qr: 'The id of the code.',
  // The account
  plan: 'free, starter, professional or unlimited.',
  key: 'The key you called with.',
  'AccountUse.id': 'The id of the account.',
  email: 'Where the account gets its mails.',
  'AccountUse.codes': 'How many codes it has, and how many it can have.',
  'AccountUse.artwork': 'Whether the plan has shapes, logos and frames.',
  'AccountUse.domains': 'How many domains the plan has.',
  'key.name': 'The name you gave it.',
  scope: '`read`, or `write` for a key that can also write.',
  'codes.limit': 'How many it can have; null without a limit.',
  'newNames.limit': 'How many a day has.',
  newNames: 'New codes and custom URLs: how many a day has, and how many are left.',
  used: 'How many are taken.',
  left: 'How many more fit; null without a limit.',
  resetsAt: 'When the count starts again.',
  customUrls: 'Whether the plan has custom URLs.',
  scans: 'How many.',
  visitors: 'Different devices, counted once per code per day (UTC); bots have none.',
  before: 'The previous period; null if nothing is kept of it.',
  snapped: 'True if it uses UTC days, because individual scans are no longer kept.',
  points: 'The line.',
  'points.before': 'Scans in the same step of the previous period; null if nothing is kept of it.',
  'points.at': 'The local start of the step.',
  rules: 'Versions of the rules that tell people from bots.',
  value: 'The value to filter by.',
  label: 'The name to show.',
  unknown: 'Scans for which it’s unknown.',
  others: 'Scans of values not in the list.',
  'Heatmap.rows': 'Monday first, 24 hours each.',
  'Ranking.codes': 'Most scans first.',
  'Ranking.tags': 'Most scans first. A code with two tags counts in both.',
  utm: 'By the UTM parameters that destinations had when they were scanned, most scans first.',
  utm_source: 'The UTM parameter of the destination when it was scanned.',
  utm_medium: 'The UTM parameter of the destination when it was scanned.',
  utm_campaign: 'The UTM parameter of the destination when it was scanned.',
  utm_term: 'The UTM parameter of the destination when it was scanned.',
  utm_content: 'The UTM parameter of the destination when it was scanned.',
  parameter: 'Which UTM parameter.',
  'utm.name': 'Its value.',
  'Ranking.others': 'Scans of codes that are not in the list.',
  scannedCodes: 'How many of its codes have scans in the range.',
  'Breakdown.rows': 'Most scans first.',
  'Classes.rows': 'Most scans first.',
  class: 'What the visits are counted as.',
  'rows.reason': 'Why they count as that.',
  'Scan.reason': 'Why it counts as that.',
  minutes: 'Scans of the last 30 minutes, oldest first; null if there were too many to count.',
  isCut: 'It starts later than you asked for, because individual scans are no longer kept.',
  totalQrCodes: 'Codes in the list, without drafts and the trash.',
  'AccountTotals.totalScans': 'Of all codes, so far.',
  totalScans: 'Since the code was created.',
  scansThisMonth: 'So far this month.',
  scansLastMonth: 'All of last month.',
  lastScannedAt: 'When it was last scanned, to a quarter of an hour.',
  days: 'How many days the link works.',
  note: 'For you: the page doesn’t show it.',
  madeAt: 'When it was created.',
  endsAt: 'When it ends.',
  shares: 'All share links of the code.',
  link: 'The address to share; null for a key that only reads, and if it can’t be shown anymore.',
  lastOpenedAt: 'When it was last opened, to ten minutes.',
  pausedAt:
    'When it was paused because Tessera was restored from a backup; null if it’s on. Turn it on again on the dashboard.',
  isInPlan: 'False if the plan doesn’t include share links: then none works.',
  // Imports
  'sendFile.name': 'The name of the file.',
  'sendFile.format': 'Which service the file is from; `auto` detects it by its columns.',
  only: 'Only rows with a problem, with a custom URL that isn’t available, or with any loss.',
  'ImportPublish.tags': 'Added to all codes, besides the tags in their rows.',
  otherPaths: 'Rows whose custom URL isn’t available only get a short link.',
  skipProblems: 'Rows with a problem are left out.',
  'ImportColumns.columns': 'What each column is read as, in their order; null if it isn’t read.',
  'Import.domain': 'The host of its codes’ links; null for this site’s.',
  'Import.endsAt': 'When it’s removed with its rows. Its codes stay.',
  'ImportColumns.domain': 'The host of its codes’ links; null for this site’s.',
  'sendFile.domain': 'The host of its codes’ links; null for this site’s.',
  import: 'The import that the row is in, with its counts.',
  encoding: 'The encoding in which the file was read.',
  'ImportRow.tags': 'The names of its tags.',
  'ImportRow.createdAt': 'When the code was created at the service that the file is from.',
  'changeImportRow.row': 'Its number in a spreadsheet.',
  'Import.name': 'The name of the file.',
  'Import.format': 'Which service the file is from.',
  'Import.columns': 'The columns of the file.',
  'Import.rows': 'How many the file has.',
  'columns.name': 'As in the file.',
  'columns.sample': 'Its text in the first row.',
  'columns.as': 'What it’s read as; null if it isn’t read.',
  state:
    '`checked`: nothing is created yet. `publishing`: codes are being created. `published`: all are there.',
  problems: 'What’s wrong.',
  'Import.problems': 'How many rows can’t become codes.',
  lostPaths: 'How many rows have a custom URL that isn’t available.',
  'Import.losses': 'How many rows lose something: a name, a tag, a date, an end.',
  losses: 'What else the code goes without, such as a tag that is too long.',
  done: 'How many codes are ready.',
  fault: 'Why the last try created nothing; null if there was none.',
  publishedAt: 'When its codes were created; null before.',
  room: 'How many more codes the account can have.',
  firstProblems: 'The first rows with a problem or a loss.',
  row: 'Its number in a spreadsheet.',
  field: 'Which field it’s about.',
  lostPath: 'Why the custom URL isn’t available; null if it is.',
  isPaused:
    'Whether its code will be paused: it was paused, archived or over where the file is from.',
  codeId: 'The id of its code; null until there is one.',
  webhooks: 'All of them.',
  // Events
  data: 'What it’s about, as it was when this happened.',
  byCode: 'The scans of each code.',
  'data.codes': 'How many codes have it.',
  // Errors
  message: 'For people.',
  code: 'For programs. It stays the same when the message changes.',
  fields: 'What’s wrong with each input, by its path, such as `rows.3.url`.',
}

/** Schemas that have all that another one has, in the same meaning */
const sameAs: Record<string, string> = {
  BinnedQrCode: 'QrCode',
  ImportState: 'Import',
  SentFile: 'Import',
}

const wordsOf = (name: string, context: string): string | undefined => {
  // A schema that is not the same as it comes in and as it goes out has two names.
  const schema = context.replace(/Input$/, '')
  return words[`${sameAs[schema] ?? schema}.${name}`] ?? words[name]
}

/** The words of a parameter of a call */
const parameterWords = (name: string, call: string): string | undefined =>
  words[`${call}.${name}`] ?? words[`?${name}`] ?? words[name]

/** The document with what its fields mean. */
export function withFieldWords(document: OpenApi): OpenApi {
  for (const [name, schema] of Object.entries(document.components.schemas)) tell(schema, name)
  for (const call of Object.values(document.paths).flatMap((path) => Object.values(path))) {
    const name = call.operationId ?? ''
    for (const parameter of call.parameters ?? []) {
      const said = parameterWords(parameter.name, name)
      if (said !== undefined) parameter.description ??= said
    }
    for (const schema of schemasOf(call)) tell(schema, name)
  }
  return document
}

/** Says what the inputs of an agent's tool mean: they are parameters of calls and fields of bodies. */
export function tellInputs(schema: Schema, tool: string) {
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const said = parameterWords(name, tool)
    if (said !== undefined) field.description ??= said
  }
  tell(schema, tool)
}

function schemasOf({ requestBody, responses }: Call): Schema[] {
  const bodies = [requestBody, ...Object.values(responses)]
  const media = bodies.flatMap((body) =>
    body && 'content' in body ? Object.values(body.content ?? {}) : [],
  )
  return media.map(({ schema }) => schema).filter((schema) => schema !== undefined)
}

/**
 * Says what the fields of a schema mean, where it does not say so itself.
 * @param context the schema, or the field, that this one is a part of
 */
export function tell(schema: Schema, context: string) {
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const said = wordsOf(name, context)
    if (said !== undefined) field.description ??= said
    tell(field, name)
  }
  for (const [key, part] of Object.entries(schema)) {
    if (key === 'properties') continue
    for (const each of [part].flat()) {
      if (typeof each === 'object' && each !== null) tell(each as Schema, context)
    }
  }
}
