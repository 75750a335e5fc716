import { FREE_EXPIRY_DAYS } from '#contract/billing/plans.ts'
import { IMPORT_ROWS_MAX } from '#contract/imports.ts'
import { formatCount, type Reader } from '../formats.ts'
import { type Content, type Section, section } from './site-parts.ts'

/** The Help Center. @param ask how to reach a person */
export function helpPage(ask: Section, reader: Reader): Content {
  const rows = formatCount(IMPORT_ROWS_MAX, reader)
  return {
    lead: '<p>Everything you need to create, print, and track your QR codes.</p>',
    sections: [
      section(
        'Create and print a code',
        'Log in and choose “Create New QR Code”. Give it a name and a destination, pick a style and colors, and save it. Then download it: SVG and PDF stay sharp at any size, PNG and JPG are for screens and documents.',
        'A scan rating appears beside the picture. Print one copy and scan it before you print a thousand.',
      ),
      section(
        'Use one design for all your codes',
        'Save a code’s design to reuse it on other codes. Set one of your designs as the default, and every new code starts with it. To restyle codes you already have, select them in the list and apply a design. Printed codes keep working.',
      ),
      section(
        'Print labels',
        'Select codes in the list and choose “Print labels”. Use plain paper, a label sheet by its number, or a custom size in millimeters. You’ll see a preview of the first sheet and how far away its codes can be scanned. The text below each code can be its name, its short link, or a column from your spreadsheet.',
        'Print at 100%, and try plain paper first: hold it against the label sheet and up to a light. On a sheet you’ve already started, enter the first free label.',
      ),
      section(
        'Organize codes with tags',
        'Tag codes by campaign, place, or whatever suits you: one at a time, or many at once from the list. Choose a tag above the list to see only its codes. Analytics show how often the codes of each tag were scanned.',
      ),
      section(
        'Import many codes',
        `“Import”, above your list, reads a CSV file with up to ${rows} rows: one code per row, each with a name and a destination. Custom URLs and tags are optional. Download the template to see the columns; every spreadsheet program can save as CSV. You’ll see any problem, row by row, before codes are created.`,
        'Exports from other QR code and short link services work, too. Each link keeps its path if that path is free here and your plan includes custom URLs. Codes you’ve already printed elsewhere still lead to that service.',
        'We delete files you don’t use after a day. You can download the pictures of imported codes as one ZIP file for a week; the codes stay.',
      ),
      section(
        'Export your list',
        '“Export” saves the codes in your list as a CSV file: short link, destination, name, custom URL, tags, scans, visitors, date, and status. Filter the list first, or select the codes you want. You can import this file again.',
      ),
      section(
        'Add your logo',
        'On any paid plan, open a code and then “Logo”. Upload a PNG, JPG, SVG, or WebP file of up to 2 MB, and reuse it in other codes. In an SVG, convert text to outlines first: we don’t have your fonts.',
        'A logo covers part of the code. Scanners can repair only so much, and dirt and scratches need some of that, too. That’s why the size slider stops where the code would get hard to scan. Error correction goes up to High automatically to make the most room.',
        'You can’t delete a logo while a code uses it, so printed codes never change.',
      ),
      section(
        'Change the destination',
        'Click a code’s name, enter the new destination, and save. The printed code stays the same: the next scan goes to the new page.',
        'If you track campaigns on your website, open “Campaign parameters” below the destination to add them to the link. “Pass parameters on” there adds what stands behind the printed link, such as ?table=7, too.',
        'Once a day we check whether the destinations of your codes work. If one is broken, your list says so and we email you.',
      ),
      section(
        'Use your own domain',
        'On the Professional and Unlimited plans, open your account settings and then “Domains”. Add a domain such as qr.example.com, and create the two records that we show at your DNS provider. The first one proves that the domain is yours, the second one points it here.',
        'All your short links then work on it too. To have it in a code’s picture, choose it in the code’s form, above the custom URL. What you’ve printed before keeps working.',
        'If you come from another service with this domain, import your links from its export and choose the domain there. Their paths stay as they are, so nothing has to be printed again.',
        'When your plan ends, your domains keep working. If you remove one, its links work for 30 more days.',
      ),
      section(
        'What expires and what doesn’t',
        `Codes created on the Free plan stop working ${FREE_EXPIRY_DAYS} days after you first save them. The date is shown beside each code. When you upgrade, your codes no longer expire, and expired ones work again.`,
        'Codes created on a paid plan keep working when the plan ends, and you can still change their destinations. Only new codes are limited as on the Free plan.',
        'A deleted code stops working at once. You can restore it from the trash for 30 days.',
      ),
      section(
        'How scans are counted',
        'One scan is one person who opened a code. Link previews, search engines, and other bots don’t count.',
        'On any paid plan you can get reports by email, weekly or monthly: turn them on in your account settings, under “Notifications”.',
        'On any paid plan you can also share a code’s analytics with a link: open the analytics and choose “Export and share”. Anyone with the link can see them, but not change anything. The link expires on the day you choose, and you can revoke it at any time.',
      ),
      section(
        'When a code doesn’t scan',
        'Keep the empty margin around it, print it at least 2 cm (0.8 in) wide, and use dark modules on a light background. If it scans but the page doesn’t open, add a + to the end of its short link to see where it leads.',
      ),
      section(
        'Manage your account',
        'Your name, email, password, two-step verification, and logged-in devices are in your profile, under “Account settings”. There you can also download everything you have here as one ZIP file.',
      ),
      ask,
    ],
  }
}
