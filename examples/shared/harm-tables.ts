export const BLOCK_DEVICE =
  /^\/+dev\/+((sd|hd|vd|xvd|nvme|mmcblk|loop|md|dm-|disk|rdisk|sr|nbd|zd|ram)|mapper\/|disk\/|block\/)/;
/** What a later start of a shell, a login or git reads. */
export const SENSITIVE =
  /(^|\/)\.git(\/|$)|(^|[/~])\.(bashrc|bash_profile|bash_login|bash_logout|bash_aliases|profile|zshrc|zprofile|zshenv|zlogin|zlogout|kshrc|cshrc|tcshrc|login|inputrc|xprofile|xinitrc|gitconfig|npmrc|pam_environment)$|(^|\/)\.ssh(\/|$)|(^|\/)\.config\/(fish|git|systemd|autostart)(\/|$)|^\/+etc\/+(cron|profile|bash|zsh|ssh\/|sudoers|ld\.so|systemd|init|environment)|\/cron(tabs)?(\/|$)|(^|\/)Library\/LaunchAgents(\/|$)/i;

/** Only read what they are given, so that a name among their arguments is no write. */
export const READERS = new Set(
  'cat head tail less more ls stat file wc grep egrep fgrep rg diff cmp sha256sum md5sum cd pushd echo printf test [ readlink realpath basename dirname du tree source . cut sort uniq nl rev tr'.split(
    ' ',
  ),
);
