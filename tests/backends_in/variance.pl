#!/usr/bin/env perl
# dirichlet.utility.variance in Perl: p (1-p)/(k+1), to within a relative 1e-9.
use strict;
use warnings;
use JSON::PP;
use POSIX ();

$| = 1;    # each line is written out at once
my $json = JSON::PP->new->canonical;

sub real { my ($double) = POSIX::strtod($_[0]); return $double }

while (my $line = <STDIN>) {
    my $message = $json->decode($line);
    if ($message->{protocol}) {
        print $json->encode({
            name => "in-perl", version => "1", quantities => ["dirichlet.utility.variance"],
            accuracy => { "dirichlet.utility.variance" => "0x1p-40" },
        }), "\n";
        next;
    }
    my ($p, $k) = map { real($message->{parameters}{$_}) } qw(p k);
    my $value = sprintf "%a", $p * (1 - $p) / ($k + 1);
    print $json->encode({ id => $message->{id}, value => $value }), "\n";
}
