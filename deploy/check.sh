#!/usr/bin/env bash
# Checks the files of this folder with the programs that are here. Says of each check whether it passed,
# failed, or could not be made, and why. As root, --install gets missing programs from Debian first.
set -uo pipefail
cd "$(dirname "$0")/.."
packages=(buildah caddy docker-compose mmdebstrap nginx openssl prometheus systemd)
BASE=node:24-bookworm-slim
IMAGE_LIMIT_MB=250
# 0 is a service that may do nothing, 100 one that may do all.
EXPOSURE_LIMIT=20
START_LIMIT_S=120
SECRET=0123456789abcdef0123456789abcdef

say() { printf '%-12s %s\n' "$1" "$2"; }

# check NAME PROGRAM COMMAND…: runs the command if the program is here.
check() {
  local name=$1 program=$2
  shift 2
  if ! command -v "$program" >/dev/null; then
    say 'not checked' "$name: $program is missing"
    return 1
  fi
  if "$@" >"$work/log" 2>&1; then
    say passed "$name"
    return 0
  fi
  say FAILED "$name"
  tail -n 30 "$work/log" | sed 's/^/             /'
  failed=1
  return 1
}

# RUNLEVEL=1: nothing of it starts by itself.
install_programs() {
  apt-get update -qq
  for package in "${packages[@]}"; do
    RUNLEVEL=1 DEBIAN_FRONTEND=noninteractive DEBCONF_NOWARNINGS=yes apt-get install -y -qq --no-install-recommends "$package" >/dev/null ||
      say 'not installed' "$package"
  done
}

# The image

images() {
  local command=$1
  shift
  timeout "${limit_s:-1800}" buildah --root "$work/storage" --runroot "$work/runroot" --storage-driver vfs "$command" "$@"
}

# A root of Debian with the project's Node 24 and this machine's npm, in place of the base image.
make_base() {
  local container node=node_modules/node/bin/node npm
  npm=$(npm root -g)/npm
  mmdebstrap --variant=minbase --include=ca-certificates \
    --customize-hook="cp $node \"\$1/usr/local/bin/\" && mkdir -p \"\$1/usr/local/lib/node_modules\"" \
    --customize-hook="cp -r $npm \"\$1/usr/local/lib/node_modules/\"" \
    --customize-hook='ln -s ../lib/node_modules/npm/bin/npm-cli.js "$1/usr/local/bin/npm"' \
    --customize-hook='chroot "$1" useradd --uid 1000 --create-home node' \
    bookworm "$work/base.tar" /etc/apt/sources.list.d/debian.sources || return
  container=$(images from scratch) && images add "$container" "$work/base.tar" / &&
    images commit --rm "$container" tessera-base
}

# The build finds the registry of packages as this machine does.
build_image() {
  local authorities=/etc/ssl/certs/ca-certificates.crt
  printf 'registry=%s\ncafile=%s\n' "$(npm config get registry)" "$authorities" >"$work/npmrc"
  chmod 755 "$work" && chmod 644 "$work/npmrc"
  images build --isolation chroot --format docker --build-arg NODE="$1" --tag tessera -f deploy/Dockerfile \
    --volume "$work/npmrc:/home/node/.npmrc:ro" --volume "$authorities:$authorities:ro" .
}

measure_image() {
  images push tessera "oci:$work/image:latest" || return
  megabytes=$(du -sm "$work/image/blobs" | cut -f 1)
  [ "$megabytes" -lt "$IMAGE_LIMIT_MB" ]
}

# An entry of the image's configuration, each of its parts ended by a zero byte.
image_has() {
  images inspect --type image tessera |
    node -e "const { config } = JSON.parse(fs.readFileSync(0)).Docker
      for (const part of [config.$1].flat()) process.stdout.write(part + '\\0')"
}

run_image() {
  local container root
  container=$(images from tessera) && root=$(images mount "$container") || return
  image_has Cmd >"$work/command" && image_has 'Healthcheck.Test.slice(1)' >"$work/health" &&
    image_has Env >"$work/environment" && image_has User >"$work/user" || return
  unshare --mount --net --pid --fork --kill-child "$0" --in-its-root "$root" "$work"
}

# In namespaces of its own: the image's command by its user, on a root that cannot be written to.
in_its_root() {
  local root=$1 work=$2 user command health environment server
  mapfile -d '' -t user <"$work/user"
  mapfile -d '' -t command <"$work/command"
  mapfile -d '' -t health <"$work/health"
  mapfile -d '' -t environment <"$work/environment"
  inside() { exec chroot --userspec="${user[0]}" "$root" env -i -C /app "${environment[@]}" "$@"; }
  ip link set lo up
  mount --bind "$root" "$root"
  mount -t proc -o subset=pid proc "$root/proc"
  mount --rbind /dev "$root/dev"
  mount -t tmpfs tmp "$root/tmp"
  mount -t tmpfs -o "uid=${user[0]%:*}" data "$root/data"
  mount -o remount,bind,ro "$root"
  if (inside touch /app/src/new-file); then return 1; fi
  [ -z "$(inside find /app ! -readable)" ] || { echo 'its user cannot read all of its files'; return 1; }
  (inside "${command[@]}") &
  server=$!
  for _ in $(seq "$START_LIMIT_S"); do
    kill -0 "$server" || return 1
    if (inside "${health[@]}"); then break; fi
    sleep 1
  done
  (inside "${health[@]}") && pass_by_nginx "$work" || return 1
  kill "$server"
  wait "$server"
}

# nginx

# The site with a certificate of its own, in a configuration of its own.
write_nginx_site() {
  openssl req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=qr.example.com \
    -keyout "$work/privkey.pem" -out "$work/fullchain.pem" || return
  sed "s#/etc/letsencrypt/live/qr.example.com/#$work/#" deploy/nginx.conf >"$work/site.conf"
  printf 'pid %s/nginx.pid; error_log stderr; events {} http { access_log off; include %s/site.conf; }\n' \
    "$work" "$work" >"$work/nginx.conf"
}

nginx_test() { write_nginx_site && nginx -t -c "$work/nginx.conf"; }

# Whether the site leads to Tessera. Without nginx there is nothing to see here.
pass_by_nginx() {
  local work=$1 page
  [ -f "$work/nginx.conf" ] || return 0
  nginx -c "$work/nginx.conf" || return
  page=$(node -e '
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = "0"
    require("https").get("https://127.0.0.1/healthz", { headers: { host: "qr.example.com" } }, (answer) => answer.pipe(process.stdout))')
  nginx -c "$work/nginx.conf" -s quit
  [ "$page" = '{"status":"ok"}' ]
}

# The others

unit_is_right() {
  sed "s#/opt/tessera#$PWD#" deploy/tessera.service >"$work/tessera.service"
  systemd-analyze verify "$work/tessera.service"
}

unit_is_hardened() {
  systemd-analyze security --offline=true --threshold="$EXPOSURE_LIMIT" deploy/tessera.service
}

caddy_validate() { HOME=$work caddy validate --config deploy/Caddyfile --adapter caddyfile; }
caddy_validate_composed() { SITE=qr.example.net TESSERA=tessera:3000 TLS_ASK_TOKEN=$SECRET caddy_validate; }

composer=(docker-compose)
if docker compose version >/dev/null 2>&1; then composer=(docker compose); fi
compose() { "${composer[@]}" --project-directory "$work/compose" -f "$work/compose/compose.yaml" config; }

compose_is_right() {
  mkdir "$work/compose" && cp deploy/compose.yaml deploy/Caddyfile "$work/compose/" || return
  cp deploy/.env.example "$work/compose/.env"
  if compose; then
    echo 'it takes empty secrets'
    return 1
  fi
  sed -i "s/=$/=$SECRET/" "$work/compose/.env"
  compose
}

kubernetes_is_right() {
  mkdir "$work/schemas" && npm install --prefix "$work/schemas" --no-save kubernetes-models@5 yaml@2 || return
  (cd "$work/schemas" && node --input-type=module - "$OLDPWD/deploy/kubernetes.yaml" <"$OLDPWD/deploy/kubernetes-check.mjs")
}

check_image() {
  local base=$BASE
  command -v buildah >/dev/null || { say 'not checked' 'the image: buildah is missing'; return; }
  [ "$(id -u)" = 0 ] || { say 'not checked' 'the image: only root can build it'; return; }
  if ! limit_s=60 images pull "$BASE" >"$work/log" 2>&1; then
    say 'not checked' "the image on $BASE: it cannot be pulled here"
    check 'a base image of Debian packages, in its place' mmdebstrap make_base || return
    base=localhost/tessera-base
  fi
  check "the image builds on $base" buildah build_image "$base" || return
  check "the image is smaller than $IMAGE_LIMIT_MB MB compressed" buildah measure_image
  say '' "  it has ${megabytes:-?} MB"
  check 'the image runs as its user on a read-only root, answers, also through nginx, and ends at SIGTERM' unshare run_image
}

if [ "${1:-}" = --in-its-root ]; then
  in_its_root "$2" "$3"
  exit
fi

work=$(mktemp -d)
failed=0
trap '[ ! -d "$work/storage" ] || images umount --all >/dev/null 2>&1; rm -rf "$work"' EXIT
if [ "${1:-}" = --install ]; then
  [ "$(id -u)" = 0 ] || { echo 'only root can install' >&2; exit 1; }
  install_programs
fi

check 'tessera.service' systemd-analyze unit_is_right
check "tessera.service is exposed by less than $EXPOSURE_LIMIT of 100" systemd-analyze unit_is_hardened
check 'nginx.conf' nginx nginx_test
check 'Caddyfile' caddy caddy_validate
check 'Caddyfile with the settings of compose.yaml' caddy caddy_validate_composed
check 'compose.yaml' "${composer[0]}" compose_is_right
check "kubernetes.yaml by the API's schemas" npm kubernetes_is_right
check 'monitoring/alerts.yaml' promtool promtool check rules deploy/monitoring/alerts.yaml
check 'monitoring/alerts.test.yaml' promtool promtool test rules deploy/monitoring/alerts.test.yaml
check 'monitoring/grafana.json is JSON' node node -e 'JSON.parse(fs.readFileSync("deploy/monitoring/grafana.json"))'
check_image
for what in 'the unit under a running systemd' 'compose.yaml with running containers' 'kubernetes.yaml in a cluster' 'the dashboard in Grafana'; do
  say 'not checked' "$what: there is none here"
done
exit "$failed"
