/*
 * Files as other services give them out, a few lines each: their columns, their quoting, their letters.
 */

/** Bitly, 'Export' in the list of links. */
export const BITLY = `"Bitlink","Title","Long URL","Created","Tags","Total Clicks"
"https://bit.ly/3abcXyz","Spring Sale","https://example.com/spring?utm_source=flyer","2024-03-01T09:12:44+0000","promo, seasonal","42"
"bit.ly/Summer-Sale","","https://example.com/summer","2024-06-01T00:00:00+0000","","7"
"https://go.example.org/x1/?si=1","Two
lines, and a “quote”","https://example.com/x","2024-06-02T00:00:00+0000","","0"
`

/** Bitly, as the same button gives links with a back-half of one's own. */
export const BITLY_CUSTOM = `Link,Custom Link,Destination URL,Title
https://bit.ly/4f8QwzT,https://bit.ly/open-day,https://example.com/open,Open day
https://bit.ly/4f8QwzU,,https://example.com/other,
`

/** Dub, 'Export as CSV' in the list of links, with the columns that it offers first. */
export const DUB = `Short link,Destination URL,Clicks,Created at,Tags,Archived
https://dub.sh/menu,https://example.com/menu,42,2024-03-01T09:12:44.000Z,"print, food",false
https://dub.sh/x,https://example.com/2,0,2024-03-02T09:12:44.000Z,,true
`

/** Dub, with the names of its API. */
export const DUB_API = `id,domain,key,shortLink,url,title,tags,createdAt
1,dub.sh,Menu-2024,https://dub.sh/Menu-2024,https://example.com/menu,The menu,food,2024-03-01T09:12:44.000Z
`

/** Rebrandly, 'Export links'. */
export const REBRANDLY = `id,title,slashtag,destination,shortUrl,domainName,tags,createdAt,clicks,status
a1,The menu,menu,https://example.com/menu,rebrand.ly/menu,rebrand.ly,"food,print",2023-05-06T07:08:09.000Z,3,active
a2,,9f8a7b6,https://example.com/2,rebrand.ly/9f8a7b6,rebrand.ly,,2023-05-07T07:08:09.000Z,0,inactive
`

/** Short.io, 'Export links'. */
export const SHORT_IO = `path,originalURL,title,tags,createdAt,shortURL,clicks,archived,expiresAt
menu,https://example.com/menu,The menu,t1;t2,2022-01-02T03:04:05.000Z,https://go.example.org/menu,5,true,
a,https://example.com/2,,,2022-01-03T03:04:05.000Z,https://go.example.org/a,0,false,2023-01-01T00:00:00.000Z
ever,https://example.com/3,,,2022-01-03T03:04:05.000Z,https://go.example.org/ever,0,false,2031-01-01T00:00:00.000Z
`

/** QR TIGER, the list of dynamic codes. */
export const QR_TIGER = `QR Code Name,QR Type,Short URL,Destination URL,Created,Scans
Menu,URL,https://qr1.be/AB12,https://example.com/menu,"Mar 1, 2024",12
Flyer,URL,https://qr1.be/CD34,https://example.com/2,03/04/2024,0
`

/** QR TIGER, as its newer dashboard has the same list. */
export const QR_TIGER_NEW = `Name,QR Code URL,Target URL,Status
Menu,https://qr1.be/AB12,https://example.com/menu,Paused
Flyer,https://qr1.be/CD34,https://example.com/2,printed
`

/** Shlink, 'Export' in the list of its web client. */
export const SHLINK = `"createdAt","domain","shortCode","shortUrl","longUrl","title","tags","visits"
"2023-04-05T12:00:00+02:00","s.example.org","menu","https://s.example.org/menu","https://example.com/menu","The menu","food|print",12
"2023-04-06T12:00:00+02:00","s.example.org","aB3xZ","https://s.example.org/aB3xZ","https://example.com/2","","",0
"2023-04-06T12:00:00+02:00","s.example.org","events/2024","https://s.example.org/events/2024","https://example.com/3","","",0
`

/** The file that Shlink's importer reads. */
export const SHLINK_IMPORT = `longUrl;tags;domain;shortCode;title
https://example.com/menu;food|print;;menu;The menu
`

/** Kutt has no file; this is an answer of its API, GET /api/v2/links. */
export const KUTT = JSON.stringify({
  total: 2,
  limit: 10,
  skip: 0,
  data: [
    {
      id: '4e1b1b1e-0000-4000-8000-000000000001',
      address: 'menu',
      banned: false,
      created_at: '2022-01-01T00:00:00.000Z',
      link: 'https://kutt.it/menu',
      password: false,
      target: 'https://example.com/menu',
      description: 'The menu',
      visit_count: 3,
    },
    {
      id: '4e1b1b1e-0000-4000-8000-000000000002',
      address: 'Zx9',
      banned: false,
      created_at: '2022-01-01T00:00:00.000Z',
      link: 'https://kutt.it/Zx9',
      password: false,
      target: 'https://example.com/2',
      description: null,
      visit_count: 0,
    },
  ],
})

/** YOURLS, its plugin 'Import Export'. */
export const YOURLS = `keyword,url,title,timestamp,ip,clicks
menu,https://example.com/menu,"The menu | Café ""Zur Post""",2019-02-03 10:11:12,192.0.2.7,321
1,https://example.com/one,,2019-02-03 10:11:12,192.0.2.7,0
`

/** links.csv of our own 'Take my links with me'. */
export const TESSERA = `\uFEFFShort link,Custom URL,Former custom URLs,Destination,Name,Scans,Created,Status,Tags,External ID,Design\r
https://old.example.org/qr/bcdfghj,https://old.example.org/qr/menu,https://old.example.org/qr/karte,https://example.com/menu,'=Menu,5,2026-01-02T00:00:00.000Z,active,"Food, Summer",room-1,"{""style"":""rounded"",""compact"":true}"\r
https://old.example.org/qr/bcdfghk,,,https://example.com/bar,Bar,0,2026-01-02T00:00:00.000Z,inactive,,,{\r
`
