import {
  codeAnalytics,
  dailyBreakdown,
  latestScan,
  scansByCode,
  userAnalytics,
} from '#contract/analytics/analytics.ts'
import {
  breakdown,
  classes,
  figures,
  heatmap,
  now,
  ranking,
  scan,
  scansFile,
} from '#contract/analytics/figures.ts'
import { newShare, share, shareList } from '#contract/analytics/shares.ts'
import {
  binnedCode,
  codeChange,
  codesChange,
  codesDeletion,
  codesDone,
  newCode,
  newLook,
  qrCode,
} from '#contract/codes/codes.ts'
import { newTag, tag, tagChange, taggedCodes } from '#contract/codes/tags.ts'
import { errorBody } from '#contract/errors.ts'
import {
  changedImportRow,
  importColumns,
  importEntry,
  importPublish,
  importRow,
  importRowChange,
  importRows,
  importState,
  madeImport,
} from '#contract/imports.ts'
import { accountUse } from '#contract/integrations/api-keys.ts'
import {
  dnsRecord,
  domain,
  domainChange,
  domainList,
  newDomain,
} from '#contract/integrations/domains.ts'
import {
  delivery,
  deliveryList,
  madeWebhook,
  newWebhook,
  webhook,
  webhookChange,
  webhookList,
  webhookSecret,
  wholeDelivery,
} from '#contract/integrations/webhooks.ts'
import { labelsAsked } from '#contract/labels/labels-asked.ts'
import { artwork, artworkChange, logo } from '#contract/pictures/artwork.ts'
import {
  checkedPrint,
  legibility,
  printProof,
  printReading,
} from '#contract/pictures/scan-checks.ts'
import { keptStyle, newStyle, styleChange } from '#contract/pictures/styles.ts'
import { chosenCodes, newSeries } from '#contract/series/series.ts'
import { z } from '#contract/zod.ts'
import { events, nameOfEvent } from './events.ts'

/** The schemas that have a name in the document, which the types of generated clients take over. */
const named = {
  Error: errorBody,
  QrCode: qrCode,
  BinnedQrCode: binnedCode,
  NewQrCode: newCode,
  QrCodeChange: codeChange,
  ArtworkChange: artworkChange,
  QrCodesChange: codesChange,
  QrCodesDeletion: codesDeletion,
  QrCodesDone: codesDone,
  AccountUse: accountUse,
  Artwork: artwork,
  NewSeries: newSeries,
  Look: newLook,
  ChosenCodes: chosenCodes,
  Labels: labelsAsked,
  Legibility: legibility,
  PrintProof: printProof,
  PrintReading: printReading,
  CheckedPrint: checkedPrint,
  Style: keptStyle,
  NewStyle: newStyle,
  StyleChange: styleChange,
  Logo: logo,
  Tag: tag,
  Domain: domain,
  DnsRecord: dnsRecord,
  DomainList: domainList,
  NewDomain: newDomain,
  DomainChange: domainChange,
  NewTag: newTag,
  TagChange: tagChange,
  TaggedCodes: taggedCodes,
  Import: importEntry,
  ImportState: importState,
  SentFile: madeImport,
  ImportRow: importRow,
  ImportRows: importRows,
  ImportColumns: importColumns,
  ImportRowChange: importRowChange,
  ChangedImportRow: changedImportRow,
  ImportPublish: importPublish,
  AccountTotals: userAnalytics,
  CodeTotals: codeAnalytics,
  ScansByCode: scansByCode,
  DailyBreakdown: dailyBreakdown,
  LatestScan: latestScan,
  Now: now,
  ScansFile: scansFile,
  Scan: scan,
  Figures: figures,
  Breakdown: breakdown,
  Ranking: ranking,
  Heatmap: heatmap,
  Classes: classes,
  Share: share,
  ShareList: shareList,
  NewShare: newShare,
  Webhook: webhook,
  WebhookList: webhookList,
  NewWebhook: newWebhook,
  MadeWebhook: madeWebhook,
  WebhookChange: webhookChange,
  WebhookSecret: webhookSecret,
  Delivery: delivery,
  DeliveryList: deliveryList,
  WholeDelivery: wholeDelivery,
} satisfies Record<string, z.ZodType>

/** Made for each document, so that nothing of it stays in memory. */
export function namedSchemas() {
  const registry = z.registry<{ id: string }>()
  for (const [id, schema] of Object.entries(named)) registry.add(schema, { id })
  for (const [type, schema] of Object.entries(events)) {
    registry.add(schema, { id: nameOfEvent(type) })
  }
  return registry
}
