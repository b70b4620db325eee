/** What the subcommands of one program do; `image:ls` is a subcommand of a subcommand. Others are unknown. */
export interface Subcommands {
  readonly look: ReadonlySet<string>;
  readonly change: ReadonlySet<string>;
  readonly wait: ReadonlySet<string>;
  /** Options before the subcommand that take the next word as their value. */
  readonly valued: ReadonlySet<string>;
}

const setOf = (text = ""): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

function subcommands(words: { look?: string; change?: string; wait?: string; valued?: string }): Subcommands {
  return {
    look: setOf(words.look),
    change: setOf(words.change),
    wait: setOf(words.wait),
    valued: setOf(words.valued),
  };
}

const git = subcommands({
  valued: "-C -c --git-dir --work-tree --namespace",
  look: `status diff log show blame annotate grep ls-files ls-tree ls-remote rev-parse rev-list describe shortlog reflog
    cat-file for-each-ref show-ref show-branch merge-base name-rev version help whatchanged check-ignore check-attr var
    count-objects diff-tree diff-index diff-files cherry range-diff verify-commit verify-tag fsck remote:show
    remote:get-url stash:list stash:show worktree:list submodule:status submodule:summary notes:list notes:show
    bisect:log bisect:view bisect:visualize sparse-checkout:list lfs:ls-files lfs:status config:get config:list`,
  change: `add commit checkout switch restore reset revert merge rebase cherry-pick pull push fetch clone init rm mv clean
    stash apply am tag branch remote config worktree submodule notes bisect gc prune repack update-index update-ref
    write-tree commit-tree read-tree symbolic-ref format-patch archive bundle filter-branch replace sparse-checkout lfs
    mergetool hash-object rerere`,
});

const npm = subcommands({
  valued: "--prefix -C -w --workspace",
  look: `ls list ll la view info show outdated root prefix bin why explain search ping whoami help audit fund
    config:get config:list config:ls get query doctor docs`,
  change: `install i ci add in clean-install uninstall un remove rm r update up upgrade link unlink rebuild dedupe prune
    publish pack init create version set config cache install-test it shrinkwrap pkg login logout`,
});

const pip = subcommands({
  look: "list show freeze check search index inspect help debug config:list config:get cache:list cache:info cache:dir",
  change: "install uninstall download wheel cache config",
});

const docker = subcommands({
  valued: "-H --host --context -f --file -p --project-name",
  look: `ps images logs inspect info version stats top port diff history search events image:ls image:list image:inspect
    image:history container:ls container:list container:logs container:inspect container:top volume:ls volume:inspect
    network:ls network:inspect compose:ps compose:logs compose:config compose:images compose:top compose:ls
    compose:version context:ls system:df system:info manifest:inspect`,
  change: `run build buildx rm rmi pull push start stop restart create kill pause unpause commit cp tag load save import
    export rename update login logout image container volume network compose system swarm service stack context up down`,
  wait: "wait compose:wait",
});

const apt = subcommands({
  look: "list search show policy showpkg depends rdepends madison help changelog",
  change: "install remove purge update upgrade full-upgrade dist-upgrade autoremove autoclean clean build-dep download",
});

const conda = subcommands({
  look: "list info search env:list env:export config:--show compare help",
  change: "install create remove uninstall update upgrade clean env config init build",
});

const systemctl = subcommands({
  look: "status show list-units list-unit-files is-active is-enabled is-failed cat list-timers list-dependencies",
  change: "start stop restart reload enable disable mask unmask daemon-reload kill edit set-property",
});

/** Programs whose first argument says what they do. */
export const SUBCOMMANDS: ReadonlyMap<string, Subcommands> = new Map([
  ["git", git],
  ["npm", npm],
  ["pnpm", npm],
  ["yarn", npm],
  ["bun", npm],
  ["pip", pip],
  ["pip3", pip],
  ["pipx", pip],
  ["docker", docker],
  ["podman", docker],
  ["docker-compose", docker],
  ["apt", apt],
  ["apt-get", apt],
  ["apt-cache", apt],
  ["conda", conda],
  ["mamba", conda],
  ["micromamba", conda],
  ["systemctl", systemctl],
  [
    "uv",
    subcommands({
      look: "version help tree pip:list pip:show pip:freeze pip:check pip:tree python:list python:find cache:dir tool:list",
      change: "pip add remove sync lock venv init build publish tool python cache self",
    }),
  ],
  [
    "poetry",
    subcommands({
      look: "show check about search env:info env:list config:--list version",
      change: "install add remove update lock init new build publish env config self",
    }),
  ],
  ["pipenv", subcommands({ look: "graph check verify", change: "install uninstall update lock sync clean upgrade" })],
  [
    "cargo",
    subcommands({
      look: "tree metadata search locate-project pkgid info help version verify-project",
      change: "install uninstall add remove rm update new init clean fix fmt publish fetch vendor generate-lockfile",
    }),
  ],
  [
    "go",
    subcommands({
      valued: "-C",
      look: "list env doc version help mod:graph mod:why mod:verify",
      change: "get install mod fmt clean generate work fix",
    }),
  ],
  [
    "rustup",
    subcommands({ look: "show which doc check", change: "install update default target component toolchain" }),
  ],
  [
    "gem",
    subcommands({ look: "list search info which environment contents", change: "install uninstall update build push" }),
  ],
  [
    "bundle",
    subcommands({ look: "list show info outdated check", change: "install update add remove lock config init clean" }),
  ],
  [
    "composer",
    subcommands({ look: "show info outdated why licenses", change: "install update require remove dump-autoload" }),
  ],
  [
    "brew",
    subcommands({
      look: "list ls info search outdated deps uses",
      change: "install uninstall upgrade update tap link",
    }),
  ],
  [
    "kubectl",
    subcommands({
      valued: "-n --namespace --context --kubeconfig",
      look: `get describe logs top version explain api-resources api-versions cluster-info events auth diff config:view
        config:get-contexts config:current-context rollout:history`,
      change: `apply create delete patch edit scale rollout run expose label annotate set replace drain cordon uncordon cp
        taint autoscale config`,
      wait: "wait rollout:status",
    }),
  ],
  [
    "gh",
    subcommands({
      look: `pr:view pr:list pr:diff pr:status pr:checks issue:view issue:list issue:status repo:view repo:list run:list
        run:view release:list release:view auth:status search workflow:list workflow:view status gist:list gist:view`,
      change: "pr issue repo release gist workflow label secret variable cache",
      wait: "run:watch",
    }),
  ],
  [
    "terraform",
    subcommands({ look: "show plan validate output version providers graph", change: "init apply destroy import fmt" }),
  ],
  [
    "helm",
    subcommands({
      look: "list ls status get history show search template version",
      change: "install upgrade uninstall rollback",
    }),
  ],
  [
    "svn",
    subcommands({
      look: "status diff log info list cat blame",
      change: "add commit checkout update revert switch merge",
    }),
  ],
  [
    "hg",
    subcommands({ look: "status diff log annotate cat identify", change: "add commit update pull push revert merge" }),
  ],
]);
